"use strict";
// The overview: what became of the documents, alarms, removals by source and time, sizes of clusters.
(function (q) {
  const about = q.model.about;
  const counts = about.counts;
  const share = (n) => (counts.read ? n / counts.read : 0);

  function lead() {
    const values = {
      read: q.number(counts.read),
      removed: q.number(counts.removed),
      kept: q.number(counts.kept),
      share: q.percent(share(counts.removed)),
    };
    return q.t(!counts.read ? "lead.empty" : counts.removed ? "lead" : "lead.none", values);
  }

  function parts() {
    const found = [["kept", counts.kept], ...Object.entries(counts.removed_by_relation || {})];
    const bar = q.el("div", { class: "parts", "aria-hidden": "true" });
    const legend = q.el("ul", { class: "legend" });
    for (const [name, n] of found) {
      if (!n && name !== "kept") continue;
      const said = name === "kept" ? q.t("kept") : q.t("relation." + name);
      const piece = q.el("span", { class: "r-" + name, title: `${said} ${q.number(n)}` });
      piece.style.flexGrow = n;
      if (n) bar.append(piece);
      legend.append(
        q.el(
          "li",
          {},
          q.el("i", { class: "dot r-" + name }),
          said,
          " ",
          q.el("b", {}, q.number(n)),
          ` ${q.percent(share(n))}%`,
        ),
      );
    }
    return q.el("div", { class: "card wide" }, q.el("h3", {}, q.t("parts")), bar, legend);
  }

  function tiles() {
    const clusters = q.model.left_out.clusters;
    const found = [
      ["read", counts.read],
      ["kept", counts.kept],
      ["removed", counts.removed],
      ["clusters", clusters],
      ["pairs", q.model.left_out.pairs],
      ["variants", q.model.left_out.variants],
      ...["small_shares", "skipped", "reference", "unscored", "unseen", "without_text", "policy_overruled", "kept_as_first", "kept_beside", "originals", "roundups", "roundups_removed"]
        .map((k) => [k, k === "unscored" ? counts.unscored - (counts.unseen ?? 0) : counts[k]])
        .filter(([, n]) => n),
    ];
    if (counts.templates?.told_apart) found.push(["told_apart", counts.templates.told_apart]);
    if (about.restored) found.push(["restored", about.restored]);
    return q.el(
      "dl",
      { class: "tiles" },
      found.map(([key, n]) => q.el("div", {}, q.el("dt", {}, q.t("count." + key)), q.el("dd", {}, q.number(n)))),
    );
  }

  /** Did the run measure a recall, and find every true pair? */
  const whole = () => {
    const measured = Object.values(about.recall || {}).filter((r) => r && typeof r === "object" && r.true);
    return measured.length > 0 && measured.every((r) => r.found === r.true);
  };

  /** An alarm in the language of the page: by its figures where they are known, else its own message. */
  function said(alarm) {
    const key = "message." + alarm.kind + (alarm.kind === "candidate lists bounded" && whole() ? ".whole" : "");
    if (!q.knows(key)) return q.told(alarm.message[q.language]);
    const wanted = [...q.words[key].en.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
    if (!wanted.every((name) => alarm.figures[name] !== undefined && alarm.figures[name] !== null))
      return q.told(alarm.message[q.language]);
    const figures = Object.fromEntries(
      wanted.map((n) => [n, typeof alarm.figures[n] === "number" ? q.value(alarm.figures[n]) : alarm.figures[n]]),
    );
    return q.told(q.t(key, figures));
  }

  function alarms() {
    if (!about.alarms.length) return null;
    const list = about.alarms.map((a) =>
      q.el(
        "li",
        { class: a.level === "note" ? "note" : "alarm" },
        q.el(
          "b",
          {},
          q.t(a.level === "note" ? "note" : "alarm"),
          " · ",
          q.knows("alarm." + a.kind) ? q.t("alarm." + a.kind) : q.plain(a.kind),
        ),
        q.el("p", {}, said(a)),
      ),
    );
    return q.el(
      "div",
      { class: "card wide" },
      q.el("h3", {}, q.t("alarms")),
      q.el("ul", { class: "alarms" }, list),
      about.alarms_more ? q.el("p", { class: "soft" }, q.t("alarms.more", about.alarms_more)) : null,
    );
  }

  function recall() {
    const found = about.recall && about.recall.sampled_documents !== 0 ? about.recall : null; // of none compared
    const rows = Object.entries(found || {})
      .filter(([, r]) => r && typeof r === "object")
      .map(([name, r]) =>
        q.el(
          "li",
          {},
          q.el("i", { class: "dot r-" + name }),
          q.t(
            "labelled",
            q.knows("relation." + name) ? q.t("relation." + name) : q.plain(name),
            r.true
              ? q.t("recall.one", {
                  found: q.number(r.found),
                  true: q.number(r.true),
                  recall: q.score(r.recall),
                  low: q.score(r.interval_95[0]),
                  high: q.score(r.interval_95[1]),
                })
              : q.t("recall.none"),
          ),
        ),
      );
    if (!rows.length) return null;
    return q.el(
      "div",
      { class: "card wide" },
      q.el("h3", {}, q.t("recall")),
      q.el("ul", { class: "plain" }, rows),
      q.el("p", { class: "soft" }, q.t("recall.sample", q.number(found.sampled_documents || 0))),
      found.judged_pairs < found.pairs
        ? q.el("p", { class: "soft" }, q.t("recall.judged", q.number(found.judged_pairs), q.number(found.pairs)))
        : null,
    );
  }

  q.parts.push({
    id: "overview",
    render(root) {
      const cards = q.breakdown();
      const half = cards.map((c) => c[0]);
      if (half.length % 2) half[half.length - 1].classList.add("wide"); // no empty half beside the last card
      root.append(
        q.el("h2", { class: "lead" }, lead()),
        tiles(),
        q.el(
          "div",
          { class: "grid" },
          parts(),
          alarms(),
          recall(),
          half,
          q.model.by_time ? null : q.el("p", { class: "soft wide" }, q.t("time.none", q.plain(about.time_key))),
        ),
      );
      for (const [, draw] of cards) draw();
    },
  });
})(window.quchong);
