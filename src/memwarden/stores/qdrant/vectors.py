"""Vectors: numbers are no text, but a vector may be given as text that the client embeds.

Such a text is judged with the payload it stands in and embedded as decided: after redaction.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from memwarden.errors import UnguardedOperation, UsageError
from memwarden.model import Part

if TYPE_CHECKING:
    from qdrant_client.http.models import Document

_WHERE: Final = (
    "put the text into the payload as well, so that it is judged before it is embedded,"
    " or embed it before writing"
)


def check_inference(vector: object, parts: Iterable[Part]) -> None:
    """Refuse what would be embedded unjudged. ``parts`` are those of the point's own payload.

    Raises UnguardedOperation for images, inference objects and texts that stand nowhere else.
    """
    from qdrant_client.http import models

    for one in _inferred(vector):
        if not isinstance(one, models.Document):
            raise UnguardedOperation(
                f"a vector given as {type(one).__name__} is embedded where memwarden cannot look;"
                " nothing was written, embed it before writing"
            )
        if not any(one.text == part.text for part in parts):
            raise UnguardedOperation(
                f"a vector is given as a Document whose text is not in the payload; {_WHERE}"
            )


def _inferred(vector: object) -> Iterator[object]:
    from qdrant_client.http import models

    values = vector.values() if isinstance(vector, Mapping) else (vector,)
    for value in values:
        if isinstance(value, models.Document | models.Image | models.InferenceObject):
            yield value


def embeds_later(vector: object) -> bool:
    """Whether every vector is made from text when it is written, so that none is ever stale."""
    from qdrant_client.http import models

    values = list(vector.values()) if isinstance(vector, Mapping) else [vector]
    return all(isinstance(value, models.Document) for value in values)


def with_decided_texts(vector: object, decided: Mapping[str, str]) -> object:
    """The vector with each text to embed as it was decided."""
    from qdrant_client.http import models

    if isinstance(vector, models.Document):
        return _redone(vector, decided)
    if isinstance(vector, Mapping):
        return {
            name: _redone(value, decided) if isinstance(value, models.Document) else value
            for name, value in vector.items()
        }
    return vector


def _redone(document: Document, decided: Mapping[str, str]) -> Document:
    return document.model_copy(update={"text": decided.get(document.text, document.text)})


def packed(vector: object) -> object:
    """A vector as JSON, for a held point that may be written later; numbers as 32-bit floats."""
    import numpy as np
    from qdrant_client.http import models

    if isinstance(vector, Mapping):
        return {"named": {str(name): packed(value) for name, value in vector.items()}}
    if isinstance(vector, models.SparseVector):
        return {"sparse": vector.model_dump()}
    if isinstance(vector, models.Document):
        return {"document": vector.model_dump(mode="json")}
    try:
        numbers = np.asarray(vector, dtype=np.float32)
    except (TypeError, ValueError):
        return {"unknown": type(vector).__name__}
    return {"f32": base64.b64encode(numbers.tobytes()).decode(), "shape": list(numbers.shape)}


def unpacked(stored: object) -> object:
    """The vector of ``packed``. Raises UsageError for what could not be kept."""
    import numpy as np
    from qdrant_client.http import models

    match stored:
        case {"named": dict(named)}:
            return {name: unpacked(value) for name, value in named.items()}
        case {"sparse": dict(sparse)}:
            return models.SparseVector.model_validate(sparse)
        case {"document": dict(document)}:
            return models.Document.model_validate(document)
        case {"f32": str(numbers), "shape": list(shape)}:
            flat = np.frombuffer(base64.b64decode(numbers), dtype=np.float32)
            return flat.reshape([int(size) for size in shape]).tolist()
    raise UsageError("the vector of this held point had a form that could not be kept")
