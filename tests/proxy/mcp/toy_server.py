"""A memory server of a few lines, as a child process: keeps notes in a file, says them again."""

import json
import sys
from pathlib import Path

KEPT = Path(sys.argv[1])


def answer(request):
    name, given = request["params"]["name"], request["params"].get("arguments", {})
    if name == "fail":
        return {"content": [{"type": "text", "text": "it failed"}], "isError": True}
    if name == "save_memory":
        with KEPT.open("a", encoding="utf-8") as file:
            file.write(json.dumps(given, ensure_ascii=False) + "\n")
    notes = KEPT.read_text("utf-8").splitlines() if KEPT.exists() else []
    said = {"notes": [json.loads(note) for note in notes]}
    text = json.dumps(said, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], "structuredContent": said}


for line in sys.stdin:
    request = json.loads(line)
    if request.get("method") == "tools/call":
        reply = {"jsonrpc": "2.0", "id": request["id"], "result": answer(request)}
        print(json.dumps(reply), flush=True)
    elif "id" in request:
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {}}), flush=True)
