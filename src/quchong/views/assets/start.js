"use strict";
// The head of the page, what the run was, what is left out; and the beginning: every part is drawn.
(function (q) {
  const about = q.model.about,
    out = q.model.left_out,
    root = document.documentElement;

  function head() {
    const parts = ["overview", "thresholds", "clusters", "media", "removals", "variants", "templates", "about"].filter(
      (part) => (part !== "templates" || q.model.templates.length) && (part !== "media" || q.hasMedia),
    );
    q.clear(q.byId("top")).append(
      q.el(
        "div",
        { class: "bar" },
        q.el("h1", {}, q.shown(about.name), q.el("span", { class: "brand" }, q.t("brand"))),
        q.el(
          "div",
          { class: "controls" },
          q.controls(draw),
          q.el("button", { type: "button", class: "print", on: { click: () => window.print() } }, q.t("print")),
        ),
      ),
      q.el(
        "nav",
        { class: "parts-nav", "aria-label": q.t("nav") },
        q.el(
          "ul",
          {},
          parts.map((p) => q.el("li", {}, q.el("a", { href: "#" + p }, q.t("nav." + p)))),
        ),
      ),
    );
  }

  function list(rows) {
    return q.el(
      "dl",
      { class: "facts" },
      rows
        .filter(([, value]) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && !value.length))
        .map(([key, value]) =>
          q.el("div", {}, q.el("dt", {}, q.t(key)), q.el("dd", {}, typeof value === "string" ? q.shown(value) : value)),
        ),
    );
  }

  const named = (values) =>
    Object.entries(values).map(([name, value], k) => [
      k ? q.t("list") : null,
      q.el("span", { title: `${q.plain(name)}=${q.plain(String(value))}` }, `${q.setting(name)} ${q.settingValue(value)}`),
    ]);
  q.parts.push({
    id: "about",
    render(section) {
      const whole = out.removals === out.removals_shown && out.clusters === out.clusters_shown;
      section.append(
        q.el("h2", {}, q.t("about")),
        q.el(
          "div",
          { class: "grid" },
          q.el(
            "div",
            { class: "card" },
            list([
              ["about.run", about.name],
              ["about.created", about.created ? about.created.replace("T", " ").slice(0, 16) + " UTC" : null],
              ["about.method", about.method],
              ["about.parameters", named(about.parameters)],
              ["about.keep", about.keep && q.keptBy(about.keep)],
              [
                "about.removes",
                about.removes.map((r) => (q.knows("relation." + r) ? q.t("relation." + r) : r)).join(q.t("list")),
              ],
              [
                "about.inputs",
                about.inputs.join(q.t("list")) + (about.inputs_more ? " " + q.t("more", about.inputs_more) : ""),
              ],
              ["about.thresholds", named(about.thresholds)],
              ["about.hash", about.hash],
              ["about.version", about.quchong],
              [
                "about.seconds",
                about.seconds.map(([name, seconds]) => `${name[q.language]} ${q.number(seconds, 2)}`).join(q.t("list")),
              ],
            ]),
          ),
          q.el(
            "div",
            { class: "card" },
            q.el("h3", {}, q.t("left_out")),
            q.el("p", {}, q.t("left_out.why")),
            q.el(
              "ul",
              {},
              [
                q.t("left_out.removals", q.number(out.removals_listed), q.number(out.removals)),
                q.t("left_out.texts", q.number(out.removals_shown), q.number(out.removals)),
                q.t("left_out.variants", q.number(Math.min(out.variants_shown, out.variants)), q.number(out.variants)),
                q.t(
                  "left_out.clusters",
                  q.number(out.clusters_shown),
                  q.number(out.clusters),
                  q.number(out.members_most),
                ),
                q.t("left_out.characters", q.number(out.characters_most)),
              ].map((said) => q.el("li", {}, said)),
            ),
            whole ? q.el("p", {}, q.t("left_out.nothing")) : null,
            q.el("p", { class: "soft" }, q.t("left_out.explain")),
          ),
        ),
      );
    },
  });

  function draw() {
    q.dressed();
    document.title = q.t("title", q.plain(about.name));
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = q.t(node.dataset.word);
    head();
    for (const part of q.parts) part.render(q.clear(q.byId(part.id)));
    q.showPair();
  }

  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (q.theme === "auto") draw();
  });
  let before = null;
  window.addEventListener("beforeprint", () => {
    // paper is white, and pictures must be drawn for it at once
    before = q.theme;
    q.theme = "light";
    q.stillCharts(true);
    q.flatPair(true);
    draw();
    q.resize();
  });
  window.addEventListener("afterprint", () => {
    if (before !== null) {
      q.theme = before;
      before = null;
      q.flatPair(false);
      draw();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !q.pairIsOpen() && !event.target.matches("input, select, textarea")) {
      event.preventDefault();
      q.byId("search")?.focus();
    }
  });
  if (window.location.protocol === "about:") {
    // in a notebook's frame a link to a part of this page would load the notebook into the frame
    document.addEventListener("click", (event) => {
      const link = event.target.closest('a[href^="#"]');
      if (!link) return;
      event.preventDefault();
      q.byId(link.getAttribute("href").slice(1))?.scrollIntoView();
    });
  }
  draw();
  root.dataset.drawn = "true";
})(window.quchong);
