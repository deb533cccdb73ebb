"""Who gets in, how long they stay, and what a stranger can try."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from starlette.testclient import TestClient

from memwarden.console import Settings, build
from memwarden.console.accounts import Account, Accounts, Role
from memwarden.console.sessions import Sessions
from memwarden.console.throttle import WINDOW, Bounds, Throttle
from memwarden.console.visit import own_path
from memwarden.errors import UsageError

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


def test_nobody_sees_anything_before_signing_in(visitor, held):
    for path in ("/", f"/items/{held}", "/news", f"/items/{held}/approve", "/overview", "/ledger"):
        answer = visitor.get(path)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in?next=")


def test_a_deep_link_leads_on_after_signing_in(visitor, held):
    answer = visitor.get(f"/items/{held}?tenant=acme")
    form = visitor.get(answer.headers["location"])
    assert f"/items/{held}?tenant=acme" in form.text.replace("&amp;", "&")
    done = visitor.post(
        "/sign-in",
        _from="/sign-in",
        name="li",
        password="correct horse battery",
        next=f"/items/{held}?tenant=acme",
    )
    assert done.headers["location"] == f"/items/{held}?tenant=acme"


@pytest.mark.parametrize(
    ("wanted", "goes"),
    [
        ("/items/1?a=b", "/items/1?a=b"),
        ("https://evil.example", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/a\nb", "/"),
        ("", "/"),
        ("/" + "x" * 600, "/"),
    ],
)
def test_going_on_never_leaves_the_console(wanted, goes):
    assert own_path(wanted) == goes


@pytest.mark.parametrize(
    ("name", "password"),
    [("li", "wrong"), ("nobody", "correct horse battery"), ("", ""), ("li", "x" * 5000)],
)
def test_a_wrong_password_and_an_unknown_name_look_the_same(visitor, name, password):
    answer = visitor.sign_in(name, password)
    assert answer.status_code == 401
    assert "do not belong together" in answer.text
    assert "memwarden_session" not in answer.headers.get("set-cookie", "")


def test_signing_in_needs_the_token_of_its_own_form(visitor):
    visitor.get("/sign-in")
    fields = {"name": "li", "password": "correct horse battery", "csrf": "made up"}
    assert visitor.http.post("/sign-in", data=fields).status_code == 403


def test_a_session_cookie_is_out_of_reach_of_scripts_and_of_other_sites(visitor):
    cookie = visitor.sign_in("li").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_over_https_cookies_are_secure(warden, settings):
    from dataclasses import replace

    http = TestClient(build(warden, replace(settings, secure=True)), follow_redirects=False)
    answer = http.get("/sign-in")
    assert "secure" in answer.headers["set-cookie"].lower()
    assert "strict-transport-security" in answer.headers


def test_signing_out_ends_the_session_and_not_only_the_cookie(signed_in):
    li = signed_in("li")
    token = li.http.cookies["memwarden_session"]
    assert li.post("/sign-out").status_code == 303
    li.http.cookies.set("memwarden_session", token)
    assert li.get("/").status_code == 303


def test_after_too_many_failures_even_the_right_password_waits(visitor):
    for _ in range(5):
        assert visitor.sign_in("li", "wrong").status_code == 401
    answer = visitor.sign_in("li")
    assert answer.status_code == 429
    assert "Wait 15 minutes" in answer.text


def test_the_throttle_lets_in_again_when_its_window_has_passed():
    throttle = Throttle(Bounds(pair=2, address=3, name=9))
    for _ in range(2):
        throttle.failed("li", "1.2.3.4", NOON)
    assert throttle.wait("li", "1.2.3.4", NOON) == WINDOW
    assert not throttle.wait("li", "5.6.7.8", NOON)
    throttle.failed("wang", "1.2.3.4", NOON)
    assert throttle.wait("sam", "1.2.3.4", NOON)
    assert not throttle.wait("li", "1.2.3.4", NOON + WINDOW + timedelta(seconds=1))


def test_a_success_forgives_the_failures_of_its_own_pair():
    throttle = Throttle(Bounds(pair=2))
    throttle.failed("li", "1.2.3.4", NOON)
    throttle.succeeded("li", "1.2.3.4")
    throttle.failed("li", "1.2.3.4", NOON)
    assert not throttle.wait("li", "1.2.3.4", NOON)


def test_sessions_end_when_idle_and_at_the_latest_after_their_longest(tmp_path):
    sessions = Sessions(Settings(tmp_path, idle=timedelta(minutes=10), longest=timedelta(hours=1)))
    token, _ = sessions.start(Account("li", {"acme": Role.VIEWER}), NOON)
    moment = NOON
    for _ in range(6):
        moment += timedelta(minutes=9)
        assert sessions.find(token, moment) is not None
    assert sessions.find(token, moment + timedelta(minutes=9)) is None
    token, _ = sessions.start(Account("li", {"acme": Role.VIEWER}), NOON)
    assert sessions.find(token, NOON + timedelta(minutes=11)) is None
    assert sessions.find("made up", NOON) is None


def test_another_password_other_roles_or_removal_end_a_session(signed_in, settings):
    for change in ("password", "roles", "gone"):
        li = signed_in("li")
        assert li.get("/").status_code == 200
        record = json.loads(settings.users_file.read_text("utf-8"))
        kept = settings.users_file.read_bytes()
        (mine,) = [one for one in record["users"] if one["name"] == "li"]
        if change == "password":
            mine["password"] += "x"
        elif change == "roles":
            mine["roles"] = {"acme": "admin"}
        else:
            record["users"].remove(mine)
        settings.users_file.write_text(json.dumps(record), encoding="utf-8")
        assert li.get("/").status_code == 303, change
        settings.users_file.write_bytes(kept)


def test_accounts_are_written_privately_and_read_back(tmp_path):
    accounts = Accounts(tmp_path / "deep" / "users.json")
    accounts.add("李雷", {"acme": Role.REVIEWER, "*": Role.VIEWER}, "correct horse battery")
    file = tmp_path / "deep" / "users.json"
    assert file.stat().st_mode & 0o077 == 0
    assert "correct horse" not in file.read_text("utf-8")
    assert "$argon2id$" in file.read_text("utf-8")
    found = Accounts(file).find("李雷")
    assert (found.role("acme"), found.role("acme-corp")) == (Role.REVIEWER, Role.VIEWER)
    assert Accounts(file).check("李雷", "correct horse battery") == found
    assert accounts.remove("李雷")
    assert not accounts.remove("李雷")


@pytest.mark.parametrize(
    ("name", "roles", "password"),
    [
        ("", {"a": Role.VIEWER}, "correct horse"),
        ("li ", {"a": Role.VIEWER}, "correct horse"),
        ("l\ni", {"a": Role.VIEWER}, "correct horse"),
        ("li", {}, "correct horse"),
        ("li", {"a": Role.VIEWER}, "short"),
    ],
)
def test_accounts_that_make_no_sense_are_refused(tmp_path, name, roles, password):
    with pytest.raises(UsageError):
        Accounts(tmp_path / "users.json").add(name, roles, password)


def test_a_broken_users_file_lets_nobody_in(visitor, settings):
    settings.users_file.write_text('{"users": [{"name": "li"}]}', encoding="utf-8")
    assert visitor.http.get("/sign-in").status_code == 500


def test_a_tenant_is_exact_in_roles():
    account = Account("li", {"acme": Role.ADMIN})
    assert account.role("acme") is Role.ADMIN
    assert account.role("acme-corp") is None
    assert account.role("ACME") is None


# -- a reverse proxy that signs people in ---------------------------------------------------------

SECRET = "a secret that both know"


@pytest.fixture
def behind_proxy(warden, settings):
    from dataclasses import replace

    made = replace(settings, header="x-forwarded-user", proxy_secret=SECRET)
    return TestClient(build(warden, made), follow_redirects=False)


def said(user=None, secret=SECRET):
    headers = {"x-memwarden-proxy-secret": secret}
    return {**headers, "x-forwarded-user": user} if user else headers


def test_the_proxys_word_counts_with_its_secret(behind_proxy):
    assert behind_proxy.get("/", headers=said("li")).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"x-forwarded-user": "li"}, id="without the secret"),
        pytest.param(said("li", "another secret"), id="with another secret"),
        pytest.param(said("nobody"), id="for somebody without an account"),
        pytest.param(said(), id="for nobody"),
    ],
)
def test_nobody_gets_in_past_the_proxy(behind_proxy, headers):
    assert behind_proxy.get("/", headers=headers).status_code == 303


def test_a_session_does_not_outlive_the_proxys_word(behind_proxy):
    behind_proxy.get("/", headers=said("ada"))
    assert behind_proxy.get("/").status_code == 303
    page = behind_proxy.get("/", headers=said("sam"))
    assert "ada" not in page.text.split("<main")[0]


def test_passwords_do_not_count_behind_a_proxy(behind_proxy):
    fields = {"name": "li", "password": "correct horse battery"}
    assert behind_proxy.post("/sign-in", data=fields).status_code == 403
