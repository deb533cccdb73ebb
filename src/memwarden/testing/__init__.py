"""Conformance suites and builders for people who write guards, adapters and stores."""
