"""MCP over stdio: a memory server behind a guard, without a line of code changed.

    memwarden proxy mcp --tenant acme -- npx -y @modelcontextprotocol/server-memory

Lines of JSON-RPC pass both ways. Calls that write are judged before the server sees them, and
everything the server says is vetted before the client does. Nothing here depends on a version of
the protocol: what is not known to be harmless is refused.
"""
