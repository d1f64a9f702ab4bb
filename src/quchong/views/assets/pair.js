"use strict";
// Two documents beside each other: shared passages, differences marked by kind, fields compared.
(function (q) {
  const dialog = q.byId("pair");
  let order = [],
    at = 0,
    flat = false;
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
    if (!dialog.open) dialog.showModal();
    show();
    shownFirst();
  };
  /** For paper a dialog must lie in the page, not above it. */
  q.flatPair = (on) => {
    flat = on; // paper shows all of both texts
    if (!dialog.open) return;
    dialog.close();
    if (flat) dialog.show();
    else dialog.showModal();
  };
  q.pairIsOpen = () => dialog.open;
  /** Draws the open pair again where it stands. */
  q.showPair = () => {
    if (!dialog.open) return;
    const heights = () => [dialog, ...dialog.querySelectorAll(".text")];
    const before = heights().map((box) => box.scrollTop);
    show();
    heights().forEach((box, k) => (box.scrollTop = before[k] || 0));
    q.aligned();
  };

  /** Opens the one pair of `turning`, or shows it where the last one was. */
  q.turnPair = function (turning) {
    q.turning = turning;
    if (!dialog.open) dialog.showModal();
    show();
    shownFirst();
  };
  /** A pair begins with what differs first in sight. */
  function shownFirst() {
    dialog.scrollTop = 0;
    const first = current().differences.findIndex((d) => d[2] >= 0 || d[4] >= 0);
    if (first >= 0) q.reveal(`[data-difference="${first}"]`);
    dialog.querySelectorAll(".shine").forEach((n) => n.classList.remove("shine"));
  }
  const current = () => (q.turning ? q.turning.pair : q.model.pairs[order[at]]);
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
    shownFirst();
  }

  dialog.addEventListener("keydown", (event) => {
    if (event.target.matches("input:not([type=checkbox]), select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "n" || event.key === "N") q.nextDifference(current(), event.shiftKey ? -1 : 1);
    else if (event.key === "p" || event.key === "P") q.nextDifference(current(), -1);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  /** Is the title only how the text begins? */
  function begins(d) {
    const plain = (text) => text.replace(/\s+/g, "");
    return Boolean(d.text) && plain(d.text[0].slice(0, 400)).startsWith(plain(d.title.replace(/…$/, "")));
  }

  /** Whether a document is removed or kept, as a colour and a word; the page that turns to pairs may know better. */
  const state = (pair, right) =>
    q.turning?.state ? q.turning.state(right) : pair.removed && !right ? ["gone", "pair.removed"] : ["stays", "pair.kept"];

  function column(pair, document, right, folds) {
    const d = q.doc(document),
      [colour, word] = state(pair, right);
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
          q.el("span", { class: "tag " + colour }, q.t(word)),
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
      q.markedText(pair, document, right, folds, q.reveal),
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
    const pair = current();
    const stretches = pair.right === null ? [] : q.equalStretches(pair);
    const folds = q.folding && !flat ? stretches : [];
    q.forgetDifference();
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
      q.whatDiffers(pair, stretches, () => {
        show();
        shownFirst();
      }),
      q.waterfall(pair),
      legend(pair),
      out ? q.el("p", { class: "soft" }, out) : null,
      q.el(
        "div",
        { class: "sides" },
        column(pair, pair.left, false, folds),
        pair.right === null ? q.el("p", { class: "soft" }, q.t("unconfirmed")) : column(pair, pair.right, true, folds),
      ),
      q.bothFields(pair.left, pair.right ?? pair.left),
      q.el("p", { class: "soft keys" }, q.turning ? q.turning.keys() : q.t("pair.key")),
    ]);
    q.bindScrolling(dialog.open ? dialog.querySelectorAll(".text") : []);
  }
})(window.quchong);
