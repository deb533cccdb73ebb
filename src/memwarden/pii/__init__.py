"""Personal data and secrets in English and Chinese.

``detect`` finds them in a text, ``registry`` and ``recognizers`` give the same to anybody's
Presidio, ``catalogue`` lists the types. Importing this package loads neither Presidio nor a model.
"""

from memwarden.pii.catalogue import EntityType, catalogue, entity_type
from memwarden.pii.detect import Search, detect
from memwarden.pii.found import Found
from memwarden.pii.presidio import recognizers, registry

__all__ = [
    "EntityType",
    "Found",
    "Search",
    "catalogue",
    "detect",
    "entity_type",
    "recognizers",
    "registry",
]
