// Scores of results: those of Sphinx, up to 8 more for the times that a page says what was looked for, and 3 more for guides and
// the pages beside them than for single methods, measurements and decisions.
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  score: ([page, , , , score]) => {
    const query = (new URLSearchParams(location.search).get("q") ?? "").trim().toLowerCase();
    const times = query ? (window.pageTexts?.[page] ?? "").toLowerCase().split(query).length - 1 : 0;
    return score + Math.min(8, 2 * Math.log2(1 + times)) + (/^(methods|results|decisions)\//.test(page) ? 0 : 3);
  },
};
