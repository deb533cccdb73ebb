// Keys, dialogs and live pieces. Every page works without this file; it only makes it quicker.
(function () {
  "use strict";

  const sheet = () => document.getElementById("sheet");
  const typing = (node) => node instanceof HTMLElement
    && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName));

  // -- filters stand open where there is room
  const wide = window.matchMedia("(min-width: 62rem)");
  const room = () => document.querySelectorAll("[data-wide-open]").forEach((one) => {
    if (wide.matches) one.open = true;
  });
  room();
  wide.addEventListener("change", room);

  // -- dialogs
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) document.getElementById(opener.dataset.opens).showModal();
    const closer = event.target.closest("[data-closes]");
    if (closer && closer.closest("dialog")) {
      event.preventDefault();
      closer.closest("dialog").close();
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "sheet-body" || sheet().open) return;
    sheet().showModal();
    const first = sheet().querySelector("[autofocus]");
    if (first) first.focus();
  });

  // -- a finding and its words light up together
  const light = (numbers, on) => numbers.split(" ").forEach((number) => {
    document.querySelectorAll(`[data-finding="${number}"], [data-findings~="${number}"]`)
      .forEach((node) => node.classList.toggle("lit", on));
  });
  for (const [kind, on] of [["mouseover", true], ["mouseout", false]]) {
    document.addEventListener(kind, (event) => {
      const node = event.target.closest("[data-finding], [data-findings]");
      if (node) light(node.dataset.findings || node.dataset.finding, on);
    });
  }

  // -- keys
  const items = () => [...document.querySelectorAll("[data-list] [data-item]")];
  let at = -1;

  function choose(next) {
    const list = items();
    if (!list.length) return;
    at = Math.max(0, Math.min(list.length - 1, next));
    list.forEach((node, n) => node.classList.toggle("chosen", n === at));
    list[at].querySelector("a.open").focus({ preventScroll: true });
    list[at].scrollIntoView({ block: "nearest" });
  }

  const focused = () => items().findIndex((node) => node.contains(document.activeElement));

  const VERDICTS = { a: "approve", r: "approve_redacted", e: "edit", x: "reject", s: "restore", u: "undo" };

  function onList(key) {
    if (focused() >= 0) at = focused();
    if (key === "j") choose(at + 1);
    else if (key === "k") choose(at - 1);
    else if (key === "o" && at >= 0) items()[at].querySelector("a.open").click();
    else if (VERDICTS[key] && at >= 0 && window.htmx && document.body.dataset.may !== "no") {
      const id = items()[at].dataset.item;
      window.htmx.ajax("GET", `/items/${id}/${VERDICTS[key]}${window.location.search}`, "#sheet-body");
    } else return false;
    return true;
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key;
    if (key === "?") {
      const keys = document.getElementById("keys");
      if (keys) keys.showModal();
    } else if (key === "/") {
      const search = document.getElementById("search");
      if (!search) { window.location.assign("/#search"); return; }
      const filters = search.closest("details");
      if (filters) filters.open = true;
      search.focus();
    } else {
      const named = document.querySelector(`main [data-key="${CSS.escape(key)}"]`)
        || (items().length ? null : document.querySelector(`[data-key="${CSS.escape(key)}"]`));
      if (named) named.click();
      else if (!onList(key)) {
        const anywhere = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
        if (!anywhere) return;
        anywhere.click();
      }
    }
    event.preventDefault();
  }
  document.addEventListener("keydown", onKey);
  if (window.location.hash === "#search") {
    const search = document.getElementById("search");
    if (search) { const filters = search.closest("details"); if (filters) filters.open = true; search.focus(); }
  }

  // -- what was chosen at once, without a button: selects that say so
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-at-once]")) event.target.form.requestSubmit();
    if (event.target.matches("[data-all]")) {
      document.querySelectorAll(event.target.dataset.all).forEach((box) => { box.checked = event.target.checked; });
    }
  });
})();
