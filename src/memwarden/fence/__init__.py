"""The read side, as pure functions: quoting memories in a prompt, and taking originals out again.

``wrap`` puts memories into a prompt so that they can inform and not command; ``may`` says whether
an action may rest on them; ``Scrubber`` takes confidential originals out of what a model answers.
"""

from memwarden.fence.block import Block
from memwarden.fence.inert import inert
from memwarden.fence.influence import ACTIONS, Allowed, may
from memwarden.fence.paraphrases import Paraphrases
from memwarden.fence.scrub.owner import Protected
from memwarden.fence.scrub.scrubber import Scrubber
from memwarden.fence.wrap import wrap

__all__ = [
    "ACTIONS",
    "Allowed",
    "Block",
    "Paraphrases",
    "Protected",
    "Scrubber",
    "inert",
    "may",
    "wrap",
]
