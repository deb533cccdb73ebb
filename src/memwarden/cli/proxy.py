"""memwarden proxy: network faces in front of memory servers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from memwarden.cli.places import DEFAULT_DATA, Data, Policies, Tenant, open_warden

app = typer.Typer(help="Stand in front of a memory server.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Stand in front of a memory server, for clients in any language."""


@app.command()
def mcp(
    command: Annotated[
        list[str], typer.Argument(help="The memory server's own command, after --.")
    ],
    tenant: Tenant,
    source: Annotated[
        str, typer.Option("--source", "-s", help="What everything that arrives counts as.")
    ] = "agent",
    tools: Annotated[
        Path | None,
        typer.Option(help="YAML that says which tools write, read, delete or are denied."),
    ] = None,
    name: Annotated[str, typer.Option(help="The server's name in ledger and queue.")] = "mcp",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Guard an MCP memory server over stdio: put this before the server's command.

    memwarden proxy mcp --tenant acme-shop -- npx -y @modelcontextprotocol/server-memory
    """
    from memwarden.proxy.mcp.stdio import serve
    from memwarden.proxy.mcp.tools import read_tools

    known = read_tools(tools)
    with open_warden(policies, data) as warden:
        session = warden.session(tenant, origin=source)
        code = serve(
            session,
            command,
            known,
            name=name,
            folder=data,
            client=(sys.stdin.buffer, sys.stdout.buffer),
        )
    raise typer.Exit(code)
