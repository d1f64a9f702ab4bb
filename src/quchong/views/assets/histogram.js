"use strict";
// The scores of all pairs, and what every threshold removes.
(function (q) {
  const { scores } = q.model;

  /** The score that the slider's parameter is held against. */
  q.ownScore = () => (scores.evidence ? "evidence" : "jaccard");

  /** Scores of all pairs, with a line at the threshold. */
  q.histogram = function (box, score, at, run) {
    const { top, counts: by } = scores[score];
    const bins = Object.values(by)[0]?.length || 0;
    if (!bins) return;
    const width = top / bins;
    const label = (k) => q.value(k * width);
    const places = [...Array(bins).keys()].map((k) => (k + 0.5) * width);
    q.chart(
      box,
      "scores",
      {
        type: "bar",
        data: {
          datasets: Object.entries(by).map(([relation, data]) => ({
            label: q.t("relation." + relation),
            data: data.map((n, k) => ({ x: places[k], y: n })),
            backgroundColor: q.relationColour(relation),
            stack: "one",
            barPercentage: 1,
            categoryPercentage: 0.94,
            grouped: false,
          })),
        },
        options: {
          scales: {
            x: {
              type: "linear",
              min: 0,
              max: top,
              offset: false,
              grid: { offset: false, display: false },
              title: { display: true, text: q.t("score." + score) },
              ticks: { maxTicksLimit: 11 },
            },
            y: {
              stacked: true,
              beginAtZero: true,
              title: { display: true, text: q.t("histogram.pairs") },
              ticks: { precision: 0 },
            },
          },
          plugins: {
            legend: { display: true, position: "bottom", labels: { boxWidth: 12 } },
            line: { at, run },
            tooltip: {
              callbacks: {
                title: (items) => {
                  const k = Math.floor(items[0].parsed.x / width);
                  return `${label(k)}–${label(k + 1)}`;
                },
              },
            },
          },
        },
      },
      q.t("histogram", q.number(q.model.left_out.pairs)),
      [
        [q.t("score." + score), ...Object.keys(by).map((r) => q.t("relation." + r))],
        ...places.map((_, k) => [label(k), ...Object.values(by).map((d) => d[k])]),
      ],
    );
  };

  /** How many documents each threshold removes, with a line at the chosen one. */
  q.curve = function (box, name, thresholds, at, run) {
    q.chart(
      box,
      name,
      {
        type: "line",
        tall: "shorter",
        data: {
          datasets: [
            {
              label: q.t("removed"),
              data: thresholds.values.map((v, k) => ({ x: v, y: thresholds.removed[k] })),
              borderColor: q.colour("removed"),
              backgroundColor: q.colour("removed"),
              pointRadius: 0,
              pointHitRadius: 8,
              borderWidth: 2,
              stepped: thresholds.parameter === "distance",
            },
          ],
        },
        options: {
          scales: {
            x: {
              type: "linear",
              min: thresholds.parameter === "distance" ? undefined : 0,
              max: thresholds.parameter === "containment" ? 1 : thresholds.parameter === "threshold" ? Math.max(1, scores[q.ownScore()].top) : undefined,
              grid: { display: false },
              title: { display: true, text: q.t("slider." + thresholds.parameter) },
            },
            y: { title: { display: true, text: q.t("count.removed") }, ticks: { precision: 0 } },
          },
          plugins: { line: { at, run } },
          interaction: { mode: "nearest", axis: "x", intersect: false },
        },
      },
      q.t(thresholds.parameter === "containment" ? "curve.containment" : "curve"),
      [
        [q.t("slider." + thresholds.parameter), q.t("count.removed")],
        ...thresholds.values.map((v, k) => [q.value(v), thresholds.removed[k]]),
      ],
    );
  };
})(window.quchong);
