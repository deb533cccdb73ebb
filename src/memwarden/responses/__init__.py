"""Answers in the shapes that model providers give them, scrubbed and given back as they came.

OpenAI-style (chat completions, responses, their streams) and Anthropic-style (messages, content
blocks, streamed events), as the objects of their packages or as plain dictionaries. Shapes are
known by their fields; no provider's package is imported.
"""

from memwarden.responses.stream import EventFlow, events, events_async
from memwarden.responses.whole import Scrubs, scrubbed

__all__ = ["EventFlow", "Scrubs", "events", "events_async", "scrubbed"]
