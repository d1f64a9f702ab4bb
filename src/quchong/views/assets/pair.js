"use strict";
// Two documents beside each other: shared passages, differences marked by kind, fields compared.
(function (q) {
  const dialog = q.byId("pair");
  let order = [],
    at = 0;
  /** Where pairs come one by one: a list of one pair, its place, how many there are, what turns to another, and what stands above
   *  the texts. A report has all its pairs, and none of this. */
  q.turning = null;

  q.pairButton = function (a, b, list) {
    const k = q.pairOf(a, b);
    if (k < 0) return q.el("span", { class: "soft small" }, q.t("no.text"));
    const label = q.t("open", q.plain(q.doc(a).id), q.plain(q.doc(b).id));
    return q.el(
      "button",
      { type: "button", class: "link", "aria-label": label, on: { click: () => q.openPair(k, list ? list() : null) } },
      q.t("see"),
    );
  };

  /** Opens a pair; `list` holds the numbers the arrow keys go through. */
  q.openPair = function (k, list) {
    q.turning = null;
    order = list && list.includes(k) ? list : q.model.pairs.map((_, i) => i);
    at = order.indexOf(k);
    show();
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  };
  /** For paper a dialog must lie in the page, not above it. */
  q.flatPair = (flat) => {
    if (!dialog.open) return;
    dialog.close();
    if (flat) dialog.show();
    else dialog.showModal();
  };
  q.pairIsOpen = () => dialog.open;
  q.showPair = () => {
    if (dialog.open) show();
  };

  /** Opens the one pair of `turning`, or shows it where the last one was. */
  q.turnPair = function (turning) {
    q.turning = turning;
    show();
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    dialog.querySelectorAll(".text").forEach((box) => (box.scrollTop = 0));
  };
  const place = () => (q.turning ? q.turning.at : at);
  const many = () => (q.turning ? q.turning.of : order.length);

  function step(by) {
    if (place() + by < 0 || place() + by >= many()) return;
    if (q.turning) {
      q.turning.turn(by);
      return;
    }
    at += by;
    const used = document.activeElement?.dataset.step;
    show();
    (dialog.querySelector(`[data-step="${used}"]:not(:disabled)`) || dialog).focus({ preventScroll: true });
    dialog.scrollTop = 0;
  }

  dialog.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  /** Scrolls to a mark and lets it shine: on one side, or on both. */
  function reveal(selector, side) {
    dialog.querySelectorAll(".shine").forEach((n) => n.classList.remove("shine"));
    dialog.querySelectorAll(".text").forEach((box, k) => {
      const found = box.querySelectorAll(selector);
      found.forEach((n) => n.classList.add("shine"));
      if (found.length && (side === undefined || side === k))
        found[0].scrollIntoView({ block: "center", inline: "nearest" });
    });
  }

  function differences(pair) {
    if (!pair.differences.length)
      return q.el("p", { class: "soft" }, q.t(q.model.equal.includes(pair.relation) ? "pair.exact" : "pair.differences.none"));
    const side = (said) => (said ? q.shown(said) : q.el("i", {}, q.t("pair.nothing")));
    return [
      q.el(
        "ul",
        { class: "plain differences" },
        pair.differences.map((d, n) =>
          q.el(
            "li",
            { class: q.group(d[0]) + (d[1] ? " conflict" : "") },
            q.el(
              "button",
              {
                type: "button",
                class: "difference",
                title: q.t("pair.jump"),
                on: { click: () => reveal(`[data-difference="${n}"]`) },
              },
              q.el("b", {}, q.kind(d[0]), d[1] ? " · " + q.t("pair.conflict") : ""),
              " ",
              side(d[6]),
              " → ",
              side(d[7]),
            ),
          ),
        ),
      ),
      pair.differences_out ? q.el("p", { class: "soft" }, q.t("more", q.number(pair.differences_out))) : null,
    ];
  }

  function fields(left, right) {
    const a = q.doc(left).fields,
      b = q.doc(right).fields;
    const names = [...new Set([...Object.keys(a?.shown || {}), ...Object.keys(b?.shown || {})])];
    if (!names.length) return q.el("p", { class: "soft" }, q.t("pair.fields.none"));
    const more = Math.max(a?.more || 0, b?.more || 0);
    const cell = (value) =>
      q.el("td", {}, value === undefined ? q.el("i", { class: "soft" }, q.t("pair.nothing")) : q.shown(value));
    return [
      q.el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": q.t("pair.fields") },
        q.el(
          "table",
          { class: "fields" },
          q.el(
            "thead",
            {},
            q.el(
              "tr",
              {},
              [q.t("pair.field"), q.t("pair.left"), q.t("pair.right")].map((h) => q.el("th", { scope: "col" }, h)),
            ),
          ),
          q.el(
            "tbody",
            {},
            names.map((name) => {
              const differs = a?.shown[name] !== b?.shown[name];
              return q.el(
                "tr",
                { class: differs ? "differs" : "" },
                q.el(
                  "th",
                  { scope: "row" },
                  q.shown(name),
                  differs ? q.el("span", { class: "tag" }, q.t("pair.differs")) : null,
                ),
                cell(a?.shown[name]),
                cell(b?.shown[name]),
              );
            }),
          ),
        ),
      ),
      more ? q.el("p", { class: "soft" }, q.t("pair.fields.more", more)) : null,
    ];
  }

  /** Is the title only how the text begins? */
  function begins(d) {
    const plain = (text) => text.replace(/\s+/g, "");
    return Boolean(d.text) && plain(d.text[0].slice(0, 400)).startsWith(plain(d.title.replace(/…$/, "")));
  }

  function column(pair, document, right) {
    const d = q.doc(document),
      removed = pair.removed && !right;
    const about = [q.moment(d), d.source].filter(Boolean).map((v) => q.shown(v));
    return q.el(
      "article",
      { class: "side" },
      q.el(
        "header",
        {},
        q.el(
          "p",
          {},
          q.el("span", { class: "tag " + (removed ? "gone" : "stays") }, q.t(removed ? "pair.removed" : "pair.kept")),
          " ",
          q.shown(d.id, { class: "doc-id" }),
        ),
        d.title && !begins(d) ? q.el("h3", {}, q.shown(d.title)) : null,
        about.length
          ? q.el(
              "p",
              { class: "soft" },
              about.map((v, k) => [k ? " · " : "", v]),
            )
          : null,
      ),
      q.markedText(pair, document, right, reveal),
    );
  }

  function legend(pair) {
    const there = new Set(pair.differences.map((d) => q.group(d[0]).slice(2)));
    return q.el(
      "ul",
      { class: "legend marks", "aria-label": q.t("pair.legend") },
      q.el("li", {}, q.el("mark", { class: "same" }, q.t("pair.shared"))),
      pair.passages.some((p) => !p[4]) ? q.el("li", {}, q.el("mark", { class: "same near" }, q.t("pair.near"))) : null,
      q.GROUPS.filter((g) => there.has(g)).map((g) =>
        q.el("li", {}, q.el("span", { class: "diff k-" + g }, q.t("group." + g))),
      ),
    );
  }

  function show() {
    if (q.turning) q.model.documents = q.turning.documents;
    const pair = q.turning ? q.turning.pair : q.model.pairs[order[at]];
    const [jaccard, left, right] = pair.measures;
    const facts = [
      `${q.t("score.jaccard")} ${q.score(jaccard)}`,
      left === null ? null : q.t("pair.left_in", q.percent(left)),
      right === null ? null : q.t("pair.right_in", q.percent(right)),
      q.t("pair.rule", q.rule(pair.rule)),
      pair.threshold === null || pair.threshold === undefined ? null : q.t("pair.threshold", q.value(pair.threshold)),
      pair.evidence === null ? null : q.t("pair.evidence", q.value(pair.evidence)),
      q.t("pair.passages", q.number(pair.passages.length + pair.passages_out)),
    ].filter(Boolean);
    const button = (word, by, sign) =>
      q.el(
        "button",
        {
          type: "button",
          disabled: place() + by < 0 || place() + by >= many(),
          "data-step": by,
          "aria-label": q.t(word),
          title: q.t(word),
          on: {
            click: () => {
              step(by);
            },
          },
        },
        sign,
      );
    const out =
      pair.passages_out || pair.differences.some((d) => d[2] < 0 && d[4] < 0)
        ? q.t(
            "pair.out",
            q.number(pair.passages_out),
            q.number(pair.differences.filter((d) => d[2] < 0 && d[4] < 0).length),
          )
        : "";
    q.fill(q.clear(dialog), {}, [
      q.el(
        "header",
        { class: "bar" },
        q.el("h2", { id: "pair-title" }, q.t("pair"), " ", q.chip(pair.relation)),
        q.el(
          "span",
          { class: "control" },
          many() > 1 ? q.el("span", { class: "soft" }, q.t("pair.of", q.number(place() + 1), q.number(many()))) : null,
          button("previous", -1, "←"),
          button("next", 1, "→"),
          q.el(
            "button",
            {
              type: "button",
              class: "close",
              "aria-label": q.t("close"),
              title: q.t("close"),
              on: { click: () => dialog.close() },
            },
            "✕",
          ),
        ),
      ),
      q.turning ? q.turning.above() : null,
      q.el("p", { class: "facts" }, facts.join(" · ")),
      legend(pair),
      out ? q.el("p", { class: "soft" }, out) : null,
      q.el(
        "div",
        { class: "sides" },
        column(pair, pair.left, false),
        pair.right === null ? q.el("p", { class: "soft" }, q.t("unconfirmed")) : column(pair, pair.right, true),
      ),
      q.el(
        "div",
        { class: "two" },
        q.el("section", {}, q.el("h3", {}, q.t("pair.differences")), differences(pair)),
        q.el("section", {}, q.el("h3", {}, q.t("pair.fields")), fields(pair.left, pair.right ?? pair.left)),
      ),
      q.el("p", { class: "soft keys" }, q.turning ? q.turning.keys() : q.t("pair.key")),
    ]);
  }
})(window.quchong);
