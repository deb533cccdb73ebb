"""memwarden console: the review desk as a web page, and who may sign in there."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from memwarden.cli.places import DEFAULT_DATA, Data, Policies, open_warden
from memwarden.errors import UsageError

if TYPE_CHECKING:
    from memwarden.console.accounts import Accounts, Role
    from memwarden.warden import Warden

app = typer.Typer(
    help="The review desk as a web page, in English and Chinese.", invoke_without_command=True
)
user = typer.Typer(help="Who may sign in, and what each may do.", no_args_is_help=True)
app.add_typer(user, name="user")

SECRET: Final = "MEMWARDEN_CONSOLE_PROXY_SECRET"  # noqa: S105 the name of a variable
PASSWORD: Final = "MEMWARDEN_CONSOLE_PASSWORD"  # noqa: S105 the name of a variable


@app.callback()
def console(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8484,
    anyone: Annotated[
        bool,
        typer.Option("--listen-anywhere", help="Allow an address that other machines can reach."),
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="Host name under which browsers ask, besides localhost."),
    ] = None,
    https: Annotated[
        bool, typer.Option("--https", help="Browsers come by HTTPS (a proxy ends it).")
    ] = False,
    header: Annotated[
        str,
        typer.Option(help=f"Header in which a proxy says who signed in. Needs {SECRET}."),
    ] = "",
    policies: Policies = None,
    data: Data = DEFAULT_DATA,
) -> None:
    """Serve the review desk. Add an account first: memwarden console user add NAME --role ...

    Only this machine can reach it unless you say otherwise.
    """
    if context.invoked_subcommand is not None:
        return
    from memwarden.console import Settings

    secret = os.environ.get(SECRET, "")
    refuse_open_door(host, anyone=anyone)
    if header and len(secret) < 16:
        raise UsageError(
            f"--header believes a proxy only with a secret that both know: set {SECRET} to at"
            " least 16 characters, and let the proxy send it as x-memwarden-proxy-secret"
        )
    settings = Settings(
        data,
        policies,
        hosts=(*Settings(data).hosts, *(name or ())),
        header=header.lower(),
        proxy_secret=secret,
        secure=https,
    )
    with open_warden(policies, data) as warden:
        typer.echo(f"memwarden console: http://{_shown(host)}:{port}  (Ctrl-C ends it)", err=True)
        _serve(warden, settings, host, port)


def refuse_open_door(host: str, *, anyone: bool) -> None:
    """Raise UsageError for an address beyond this machine that was not asked for by name."""
    try:
        here = host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        here = False
    if not here and not anyone:
        raise UsageError(
            f"{host} can be reached from other machines, and the console speaks plain HTTP; put a"
            " proxy with HTTPS before it, or say --listen-anywhere"
        )


def _serve(warden: Warden, settings: object, host: str, port: int) -> None:
    import uvicorn

    from memwarden.console import Settings, build

    assert isinstance(settings, Settings)
    uvicorn.run(
        build(warden, settings),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


@user.command()
def add(
    name: Annotated[
        str, typer.Argument(help="The name to sign in with; the ledger keeps a digest.")
    ],
    role: Annotated[
        list[str],
        typer.Option("--role", help="TENANT=viewer, reviewer or admin; '*' is every tenant."),
    ],
    by_proxy: Annotated[
        bool, typer.Option("--by-proxy", help="No password: signs in through the proxy only.")
    ] = False,
    data: Data = DEFAULT_DATA,
) -> None:
    """Add an account, or give an existing one new roles and a new password."""
    password = "" if by_proxy else os.environ.get(PASSWORD) or _asked()
    account = _accounts(data).add(name, _roles(role), password)
    said = ", ".join(f"{tenant}={one.label}" for tenant, one in sorted(account.roles.items()))
    typer.echo(f"{account.name}: {said}")


@user.command("list")
def list_users(data: Data = DEFAULT_DATA) -> None:
    """Every account with its roles."""
    accounts = _accounts(data)
    for name in accounts.names():
        account = accounts.find(name)
        assert account is not None
        said = ", ".join(f"{tenant}={one.label}" for tenant, one in sorted(account.roles.items()))
        typer.echo(f"{name}: {said}{'' if account.password else ' (by proxy)'}")
    if not accounts.names():
        typer.echo("no accounts; add one with `memwarden console user add NAME --role ...`")


@user.command()
def remove(
    name: Annotated[str, typer.Argument(help="The account.")], data: Data = DEFAULT_DATA
) -> None:
    """Take an account away. Whoever is signed in with it is signed out."""
    if not _accounts(data).remove(name):
        raise UsageError(f"there is no account {name!r}; see `memwarden console user list`")
    typer.echo(f"{name}: removed")


def _accounts(data: Path) -> Accounts:
    from memwarden.console.accounts import Accounts
    from memwarden.console.settings import Settings

    return Accounts(Settings(data).users_file)


def _roles(given: list[str]) -> dict[str, Role]:
    from memwarden.console.accounts import Role

    roles: dict[str, Role] = {}
    for one in given:
        tenant, sign, label = one.rpartition("=")
        if not sign or not tenant:
            raise UsageError(f"--role {one!r}: write TENANT=ROLE, such as acme-shop=reviewer")
        roles[tenant] = Role.parse(label)
    return roles


def _asked() -> str:
    import getpass

    password = getpass.getpass("Password: ")
    if getpass.getpass("Again: ") != password:
        raise UsageError("the two passwords differ; nothing was changed")
    return password
