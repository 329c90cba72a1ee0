#include <algorithm>

#include "evaluate/verify/rows.hpp"
#include "evaluate/verify/search.hpp"
#include "evaluate/verify/stopwatch.hpp"

namespace conelu::verification {
namespace {

/// What is known of the smaller of two margins.
Verification smaller(const Verification& a, const Verification& b) {
  Verification both = a.upper <= b.upper ? a : b;
  both.lower = std::min(a.lower, b.lower);
  both.branches = a.branches + b.branches;
  if (a.verdict == Verdict::broken || b.verdict == Verdict::broken) {
    both.verdict = Verdict::broken;
  } else {
    both.verdict = a.verdict == b.verdict ? a.verdict : Verdict::unknown;
  }
  return both;
}

}  // namespace

std::vector<Verification> verify_rows(const MatrixView& X, const ContestsOfRow& contests,
                                      const VerifySettings& settings, const VerifyProgress& progress) {
  std::vector<Verification> rows(static_cast<std::size_t>(X.rows()));
  RowLoop(X.rows(), settings.threads, progress).run([&](Index k, const GoOn& go_on) {
    const Stopwatch watch;
    long left = settings.branch_limit;
    const GoOn in_limits = [&] { return watch.seconds() < settings.time_limit && left-- > 0 && go_on(); };
    Verification& row = rows[static_cast<std::size_t>(k)];
    bool first = true;
    for (const Contest& contest : contests(k)) {
      const Verification found = Search(*contest.network, X.row(k).transpose(), contest.y, settings, in_limits).run();
      row = first ? found : smaller(row, found);
      first = false;
    }
    row.seconds = watch.seconds();
  });
  return rows;
}

}  // namespace conelu::verification
