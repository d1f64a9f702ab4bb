"use strict";
// The head of the desk, and its beginning.
(function (q) {
  const about = q.model.about,
    root = document.documentElement;

  function head() {
    q.clear(q.byId("top")).append(
      q.el(
        "div",
        { class: "bar" },
        q.el("h1", {}, q.shown(about.name), q.el("span", { class: "brand" }, q.t("desk.brand"))),
        q.el("div", { class: "controls" }, q.controls(draw)),
      ),
      q.el(
        "nav",
        { class: "parts-nav", "aria-label": q.t("nav") },
        q.el(
          "ul",
          {},
          ["measures", "list"].map((part) => q.el("li", {}, q.el("a", { href: "#" + part }, q.t("desk.nav." + part)))),
          q.model.templates.length ? q.el("li", {}, q.el("a", { href: "#templates" }, q.t("nav.templates"))) : null,
        ),
      ),
    );
  }

  function draw() {
    q.dressed();
    document.title = q.t("desk.title", q.plain(about.name));
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = q.t(node.dataset.word);
    head();
    for (const part of q.parts) part.render(q.clear(q.byId(part.id)));
    q.showPair();
  }

  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (q.theme === "auto") draw();
  });
  // What was said in another tab is seen when this one is looked at again.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      q.reload();
      q.measure();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !q.pairIsOpen() && !event.target.matches("input, select, textarea")) {
      event.preventDefault();
      q.byId("search")?.focus();
    }
  });
  draw();
  q.measure();
  root.dataset.drawn = "true";
  // The desk begins with its first pair; whoever closes it sees the list.
  q.askMe().then(() => {
    root.dataset.opened = "true";
  });
})(window.quchong);
