"use strict";
// A cluster as a small graph: the survivor in the middle, what went for its sake around it.
(function (q) {
  const WIDTH = 720,
    HEIGHT = 460,
    NEAR = 100,
    FAR = 185,
    MOST = 60;
  const RELATIONS = q.model.relations;

  const brief = (text, most) => {
    const said = q.plain(text).trim();
    return said.length > most ? said.slice(0, most - 1) + "…" : said;
  };
  const WIDE = /[\u1100-\u115f\u2e80-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
  const CLOSING = /[，。：；！？、）》」』】”’,.:;!?)\]}]/; // no line begins with one of these
  const narrow = () => window.innerWidth < 600;
  /** Columns of a line, of which a Chinese character takes two; and their width in the units of the graph. */
  const columns = () => (narrow() ? 14 : 26);
  const room = () => columns() * 8;

  /** A title in lines that have room beside a document. */
  function titleLines(i, most, columns) {
    const d = q.doc(i),
      out = [""];
    let used = 0;
    for (const sign of q.plain(d.title || d.id).trim()) {
      const wide = WIDE.test(sign) ? 2 : 1;
      if (used + wide > columns && !(used <= columns && CLOSING.test(sign))) {
        if (out.length === most) {
          out[most - 1] = out[most - 1].trimEnd() + "…";
          break;
        }
        const line = out[out.length - 1],
          space = line.lastIndexOf(" ");
        const word = wide === 1 && sign !== " " && space > columns / 2 ? line.slice(space + 1) : "";
        if (word) out[out.length - 1] = line.slice(0, space);
        out.push(word);
        used = word.length;
      }
      out[out.length - 1] += sign;
      used += wide;
    }
    return out.map((line) => line.trim());
  }

  const LINE = 17;
  /** Text of several lines around a height. */
  const label = (said, x, y, anchor) =>
    q.svg(
      "text",
      { "aria-hidden": "true", "text-anchor": anchor, x, y },
      said.map((line, k) => q.svg("tspan", { x, y: y + (k - (said.length - 1) / 2) * LINE + 5 }, line)),
    );

  q.graph = function (cluster, rows, list) {
    const middle = { x: WIDTH / 2, y: HEIGHT / 2 };
    const n = cluster.members.length;
    const places = new Map([[cluster.survivor, middle]]);
    const nodes = cluster.members.map((document, k) => {
      const row = rows(cluster.rows[k]);
      const like = Math.max(row?.jaccard ?? 0, row?.containment ?? 0);
      const angle = -Math.PI / 2 + (2 * Math.PI * (k + 0.5)) / n, // none right above the survivor: its name stands there
        reach = NEAR + (1 - like) * (FAR - NEAR) + (n > 14 && k % 2 ? 26 : 0);
      const place = { x: middle.x + reach * Math.cos(angle), y: middle.y + reach * Math.sin(angle), angle };
      places.set(document, place);
      return { document, row, place };
    });
    const lines =
      cluster.edges.length > MOST
        ? []
        : cluster.edges
            .filter(([a, b]) => places.has(a) && places.has(b))
            .map(([a, b, relation]) =>
              q.svg("line", {
                class: "thin r-" + RELATIONS[relation],
                x1: places.get(a).x,
                y1: places.get(a).y,
                x2: places.get(b).x,
                y2: places.get(b).y,
              }),
            );
    const spokes = nodes.map(({ row, place }) =>
      q.svg("line", {
        class: "spoke r-" + (row ? row.relation : q.model.equal[0]),
        x1: middle.x,
        y1: middle.y,
        x2: place.x,
        y2: place.y,
      }),
    );
    // Of many documents the names stand in two columns, each with a line to its document.
    const MANY = n > 24,
      WIDTH_OF_LINE = columns(),
      COLUMN = FAR + 65,
      ROW = 20;
    const leaders = [];
    if (MANY) {
      for (const right of [true, false]) {
        const mine = nodes.filter(({ place }) => place.x >= middle.x === right).sort((a, b) => a.place.y - b.place.y);
        mine.forEach(({ place }, k) => {
          place.name = { x: middle.x + (right ? COLUMN : -COLUMN), y: middle.y + (k - (mine.length - 1) / 2) * ROW, right };
          const end = place.name.x - (right ? 6 : -6);
          leaders.push(q.svg("polyline", { class: "leader", points: `${place.x},${place.y} ${end - (right ? 14 : -14)},${place.name.y} ${end},${place.name.y}` }));
        });
      }
    }
    const dots = nodes.map(({ document, row, place }) => {
      const d = q.doc(document),
        k = q.pairOf(document, cluster.survivor);
      const right = place.x >= middle.x;
      const said = `${brief(d.id, 60)} ${brief(d.title, 60)}${row ? ` · ${q.t("relation." + row.relation)} · ${q.score(row.jaccard)}` : ""}`;
      const open = () => {
        if (k >= 0) q.openPair(k, list());
      };
      return q.svg(
        "g",
        {
          class: "node" + (k >= 0 ? " can" : ""),
          ...(k >= 0 ? { tabindex: 0, role: "button" } : { role: "img" }),
          on: {
            click: open,
            keydown: (event) => {
              if (event.key === "Enter" || event.key === " ") {
                event.preventDefault();
                open();
              }
            },
          },
        },
        q.svg("title", {}, said),
        q.svg("circle", { class: "r-" + (row ? row.relation : q.model.equal[0]), cx: place.x, cy: place.y, r: n > 20 ? 8 : 11 }),
        MANY
          ? label(titleLines(document, 1, WIDTH_OF_LINE), place.name.x, place.name.y, place.name.right ? "start" : "end")
          : label(titleLines(document, n > 10 ? 1 : narrow() ? 3 : 2, WIDTH_OF_LINE), place.x + (right ? 18 : -18), place.y, right ? "start" : "end"),
      );
    });
    const survivor = q.doc(cluster.survivor);
    const spread = (side, least) => Math.max(least, ...nodes.map(({ place }) => Math.abs(place[side] - middle[side])));
    const name = titleLines(cluster.survivor, 2, 2 * WIDTH_OF_LINE); // above all others, with a line to its document
    const wide = (MANY ? COLUMN : spread("x", 60)) + room() + 10,
      high = (MANY ? Math.max(spread("y", 75), ...nodes.map(({ place }) => Math.abs(place.name.y - middle.y))) : spread("y", 75)) + 45,
      over = name.length * LINE + 20,
      top = middle.y - high;
    return [
      q.el("div", { class: "scroll graph-box", tabindex: "0", role: "region", "aria-label": q.t("cluster.graph") }, q.svg(
        "svg",
        {
          class: "graph" + (MANY ? " many" : ""),
          viewBox: [middle.x - wide, top - over, 2 * wide, 2 * high + over].map(Math.round).join(" "),
          role: "group",
          "aria-label": q.t("graph.label", brief(survivor.title || survivor.id, 60), q.number(n)),
        },
        leaders,
        lines,
        spokes,
        dots,
        q.svg(
          "g",
          { class: "node survivor" },
          q.svg("title", {}, `${brief(survivor.id, 60)} ${brief(survivor.title, 60)}`),
          q.svg("circle", { cx: middle.x, cy: middle.y, r: 20 }),
          q.svg("line", { class: "leader", x1: middle.x, y1: top, x2: middle.x, y2: middle.y - 20 }),
          label(name, middle.x, top - over / 2 + 4, "middle"),
        ),
      )),
      q.el(
        "p",
        { class: "soft" },
        q.t("graph.note"),
        " ",
        cluster.edges.length > MOST
          ? q.t("graph.bare", q.number(cluster.edges.length))
          : lines.length
            ? q.t("graph.lines")
            : "",
      ),
    ];
  };
})(window.quchong);
