"""The read side of the warden: who may read what, what is still fit to be read, and as what.

Nothing here searches; it says what a store is to be asked for, and vets what came back.
"""

from memwarden.warden.recall.consensus import Ask
from memwarden.warden.recall.reader import Reader, reading, reading_now
from memwarden.warden.recall.recalled import Recalled
from memwarden.warden.recall.recalling import Recalling
from memwarden.warden.recall.revoking import Revocation
from memwarden.warden.recall.windows import Admission, Withheld

__all__ = [
    "Admission",
    "Ask",
    "Reader",
    "Recalled",
    "Recalling",
    "Revocation",
    "Withheld",
    "reading",
    "reading_now",
]
