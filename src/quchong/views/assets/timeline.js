"use strict";
// The time line of a cluster: who had the text first, who next, and what each copy changed.
(function (q) {
  q.timeline = function (cluster, rows, list) {
    const row = new Map(cluster.members.map((document, k) => [document, rows(cluster.rows[k])]));
    const known = cluster.line.filter(([i]) => q.doc(i).seconds !== null);
    if (!known.length) return q.el("p", { class: "soft" }, q.t("line.none"));
    const first = q.doc(known[0][0]).seconds;
    const gap = (d, k) => {
      if (d.seconds === null) return q.t("line.undated");
      if (k === 0) return q.t("line.first");
      return d.seconds === first ? q.t("line.same") : q.t("line.after", q.span(d.seconds - first));
    };
    return [
      q.el(
        "ol",
        { class: "line" },
        cluster.line.map(([i, origin], k) => {
          const d = q.doc(i),
            removal = row.get(i),
            survivor = i === cluster.survivor,
            pair = q.model.pairs[q.pairOf(i, cluster.survivor)];
          const changed =
            !survivor && removal
              ? removal.relation === "exact"
                ? [q.el("span", { class: "change" }, q.t("line.unchanged"))]
                : pair
                  ? q.changes(pair, 4)
                  : []
              : [];
          return q.el(
            "li",
            { class: survivor ? "survivor" : "r-" + (removal ? removal.relation : "exact") },
            q.el(
              "p",
              { class: "when" },
              q.el("time", {}, q.shown(q.moment(d) || q.t("line.undated"))),
              " ",
              q.el("span", { class: "gap" }, gap(d, k)),
            ),
            q.el(
              "p",
              { class: "who" },
              q.el("b", {}, q.shown(d.source)),
              " ",
              survivor
                ? q.el("span", { class: "tag stays" }, q.t("cluster.survivor"))
                : removal
                  ? q.chip(removal.relation)
                  : null,
              " ",
              q.name(i),
              " ",
              survivor ? null : q.pairButton(i, cluster.survivor, list),
            ),
            origin === null
              ? null
              : q.el(
                  "p",
                  { class: "soft" },
                  q.t("line.origin", q.plain(q.doc(origin).source + " " + q.doc(origin).id)),
                ),
            changed.length ? q.el("p", { class: "changes" }, changed) : null,
          );
        }),
      ),
      q.el("p", { class: "soft" }, q.t("line.note", q.plain(q.model.about.time_key))),
    ];
  };
})(window.quchong);
