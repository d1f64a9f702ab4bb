"use strict";
// The time line of a reprint: who had the text first, who next, from whom, and what each copy changed.
(function (q) {
  const about = q.model.about;

  /** Source and id of a document, as text of strangers. */
  const named = (i) => [q.shown(q.doc(i).source), " ", q.shown(q.doc(i).id, { class: "doc-id" })];
  const percent = (value) => q.number(100 * value);

  /** How certain the source of a document is, in words. */
  function certainty(step) {
    const n = q.number(step.choices);
    if (step.basis === "text") return [q.t("certainty." + step.certainty), " · ", q.t("basis.text")];
    if (step.certainty === "only") return q.t("certainty.only");
    if (step.basis === "equal" && step.certainty === "undecided") return q.t("certainty.equal", n);
    return step.choices === 1 ? q.t("certainty.likely.one") : q.t(`certainty.${step.certainty}.of`, n);
  }

  /** Where a document comes from, and how certain that is. */
  function origin(step) {
    const made = { roundup: "line.roundup", digest: "line.digest" }[step.role];
    if (made) {
      const parts = step.parts.flatMap((i, n) => [n ? q.t("list") : " ", q.shown(q.doc(i).id, { class: "doc-id" })]);
      return q.el("p", { class: "soft" }, q.t(made, step.parts.length), parts);
    }
    if (step.role === "series") return q.el("p", { class: "soft" }, q.t("line.series"));
    if (step.origin === undefined) {
      const timed = step.basis !== "text" && q.doc(step.document).published !== null;
      const told = q.t(step.first ? (timed ? "line.published" : "line.comes") : "line.own");
      return q.el("p", { class: "soft" }, told, step.basis === "text" ? [" · ", q.t("basis.text")] : null);
    }
    return q.el(
      "p",
      { class: "soft origin" },
      q.t(step.shared < 0.5 ? "line.uses" : "line.from"),
      " ",
      named(step.origin),
      " · ",
      certainty(step),
      " · ",
      q.t("line.shared", percent(step.shared)),
      step.second !== null ? [" · ", q.t("line.second"), " ", named(step.second)] : null,
    );
  }

  /** What a document changed: against its source, or against the kept document where its source is not known. */
  function changes(step, relation, pair) {
    if (step.changed)
      return q.el("p", { class: "changes" }, q.el("b", {}, q.t("line.changed")), " ", q.shown(step.changed[q.language]));
    const same = q.el("span", { class: "change" }, q.t("line.unchanged"));
    if (step.origin !== undefined) return q.el("p", { class: "changes" }, same);
    if (step.role || !relation) return null;
    return q.el("p", { class: "changes" }, q.model.equal.includes(relation) ? same : pair ? q.changes(pair, 4) : null);
  }

  q.timeline = function (cluster, rows, list) {
    const row = new Map(cluster.members.map((document, k) => [document, rows(cluster.rows[k])]));
    const timed = cluster.line.filter((step) => q.doc(step.document).published !== null);
    const chained = cluster.line.some((step) => step.role);
    if (!timed.length && !chained) return q.el("p", { class: "soft" }, q.t("line.none"));
    const first = timed.length ? Math.min(...timed.map((step) => q.doc(step.document).published)) : null;
    let begun = false;
    const gap = (d) => {
      if (d.seconds === null) return q.t("line.undated");
      if (d.published > first) return q.t("line.after", q.span(d.published - first));
      const said = q.t(begun ? "line.same" : "line.first");
      begun = true;
      return said;
    };
    const note = !chained
      ? q.t("line.unknown", q.plain(about.time_key), q.number(q.model.left_out.chain_pairs))
      : q.t(timed.length ? "line.note" : "line.untimed", q.plain(about.time_key));
    return [
      q.el(
        "ol",
        { class: "line" },
        cluster.line.map((step) => {
          const i = step.document,
            d = q.doc(i),
            removal = row.get(i),
            survivor = i === cluster.survivor,
            relation = step.origin === undefined ? removal && removal.relation : q.model.relations[step.relation];
          const beside = step.origin !== undefined && q.pairOf(i, step.origin) >= 0 ? step.origin : cluster.survivor;
          return q.el(
            "li",
            { class: survivor ? "survivor" : "r-" + (relation || q.model.equal[0]) },
            q.el(
              "p",
              { class: "when" },
              d.seconds === null && !d.when ? null : [q.el("time", {}, q.shown(q.moment(d))), " "],
              timed.length ? q.el("span", { class: "gap" }, gap(d)) : null,
            ),
            q.el(
              "p",
              { class: "who" },
              q.el("b", {}, q.shown(d.source)),
              " ",
              survivor || !d.removed
                ? q.el("span", { class: "tag stays" }, q.t(survivor ? "cluster.survivor" : "line.stays"))
                : null,
              " ",
              relation ? q.chip(relation) : null,
              " ",
              q.name(i),
              " ",
              i === beside ? null : q.pairButton(i, beside, list),
            ),
            step.role ? origin(step) : null,
            changes(step, relation, q.model.pairs[q.pairOf(i, cluster.survivor)]),
          );
        }),
      ),
      cluster.line_more ? q.el("p", { class: "soft" }, q.t("line.more", q.number(cluster.line_more))) : null,
      q.el("p", { class: "soft" }, note),
    ];
  };
})(window.quchong);
