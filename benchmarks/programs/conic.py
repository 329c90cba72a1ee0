"""The program as general conic solvers want it, and their answers as the judge wants them.

# shared by contenders

    minimise 1/2 x'Q x + q'x   subject to   A x + s = b,   s in {0} x {s >= 0} x second-order cones

Written for the good of the solvers: the norm under attack is one number tau_j per block and rho_k per sample, so that
the many rows have d + 1 entries, and s_k is a variable of its own, so that its norm does not repeat the sum of blocks.
"""

import numpy as np
import scipy.sparse as sp


class Rows:
    """Rows of A and b, kind by kind; a group of rows can be asked for its multipliers by name later."""

    def __init__(self, width):
        self.width = width
        self.parts = []  # (name, A, b)

    def add(self, name, b, *columns):
        """Columns are pairs of a start and the entries from there on."""
        count = len(b)
        A = (
            sp.hstack(list(_with_gaps(count, self.width, columns)), format="csr")
            if columns
            else sp.csr_array((count, self.width))
        )
        self.parts.append((name, A, np.asarray(b, dtype=float)))

    def __len__(self):
        return sum(len(b) for _, _, b in self.parts)


def _with_gaps(count, width, columns):
    """Blocks of a row of blocks, zeros between them."""
    at = 0
    for start, block in sorted(columns, key=lambda pair: pair[0]):
        if start > at:
            yield sp.csr_array((count, start - at))
        yield sp.csr_array(block)
        at = start + block.shape[1]
    if at < width:
        yield sp.csr_array((count, width - at))


class Conic:
    """Variables in this order: U (block by block), t (lengths), losses, then of an attack tau, its sizes, s, rho."""

    def __init__(self, program):
        self.program = program
        n, d = program.X.shape
        J = 2 * len(program.patterns)
        self.n, self.d, self.J = n, d, J
        robust = program.eps > 0
        sizes = {"inf": d, "2": 0, "1": 0}[program.norm] if robust else 0  # numbers that a norm is made of
        self.at, width = {}, 0
        for name, count in [
            ("U", J * d),
            ("t", J),
            ("r", n),
            ("tau", J if robust else 0),
            ("size", J * sizes),
            ("s", n * d if robust else 0),
            ("rho", n if robust else 0),
            ("part", n * sizes),
        ]:
            self.at[name], width = width, width + count
        self.width = width
        self.equal, self.more, self.cones = Rows(width), Rows(width), Rows(width)
        self.lengths = []  # of the cones
        self._add_penalty()
        self._add_losses()
        self._add_constraints()
        if robust:
            self._add_attack("tau", "U", "size", J)
            self._add_attack("rho", "s", "part", n)
        self._finish()

    def blocks(self, x):
        """d x J"""
        return x[: self.J * self.d].reshape(self.J, self.d).T

    # ---- the pieces

    def _add_penalty(self):
        """|u_j| <= t_j: rows (t_j, u_j), cone by cone."""
        order = np.arange(self.J * (self.d + 1)).reshape(self.J, self.d + 1)
        place = np.empty(self.J * (self.d + 1), dtype=int)
        place[order[:, 0]] = self.at["t"] + np.arange(self.J)
        place[order[:, 1:].ravel()] = np.arange(self.J * self.d)
        A = sp.csr_array((-np.ones(len(place)), (np.arange(len(place)), place)), (len(place), self.width))
        self.cones.parts.append(("penalty", A, np.zeros(len(place))))
        self.lengths += [self.d + 1] * self.J

    def _add_losses(self):
        """r_k >= 1 - y_k f_k + rho_k and r >= 0, or r_k >= |f_k - y_k| + rho_k."""
        p, n = self.program, self.n
        if p.eps > 0:
            self._add_sums()
            columns = [(self.at["s"], _diagonal_rows(p.X)), (self.at["rho"], sp.eye_array(n))]
        else:
            columns = [(0, self._outputs())]
        signs = p.y if p.loss == "hinge" else np.ones(n)
        targets = -np.ones(n) if p.loss == "hinge" else -p.y
        loss = (self.at["r"], -sp.eye_array(n))
        self.more.add("loss", targets, *_scaled(columns[:1], -signs), loss, *columns[1:])
        if p.loss == "hinge":
            self.more.add("nonnegative", np.zeros(n), loss)
        elif p.eps > 0:
            self.more.add("other loss", p.y, *columns[:1], loss, *columns[1:])
        else:
            # Without an attack nothing pushes the residual up: it is the output less the target.
            self.more.parts.pop()
            self.equal.add("loss", p.y, *columns, loss)

    def _outputs(self):
        """n x J d: f = sum_j sigma_j D_j X u_j"""
        p = self.program
        signed = [sign * row for row in p.patterns for sign in (1.0, -1.0)]
        return sp.hstack([sp.csr_array(row[:, None] * p.X) for row in signed], format="csr")

    def _add_sums(self):
        """s_k = sum_j sigma_j d_jk u_j"""
        p = self.program
        signed = np.repeat(p.patterns, 2, axis=0) * np.tile([1.0, -1.0], len(p.patterns))[:, None]
        sums = sp.kron(sp.csr_array(signed.T), sp.eye_array(self.d), format="csr")
        self.equal.add("sums", np.zeros(self.n * self.d), (0, -sums), (self.at["s"], sp.eye_array(self.n * self.d)))

    def _add_constraints(self):
        """e_jk x_k'u_j >= tau_j"""
        p = self.program
        rows = sp.block_diag([-(2 * row - 1)[:, None] * p.X for row in np.repeat(p.patterns, 2, axis=0)], format="csr")
        columns = [(0, rows)]
        if p.eps > 0:
            columns.append((self.at["tau"], sp.kron(sp.eye_array(self.J), np.ones((self.n, 1)))))
        self.more.add("rows", np.zeros(self.J * self.n), *columns)

    def _add_attack(self, bound, vector, sizes, count):
        """bound >= eps |vector|_q for each of the vectors."""
        p, d = self.program, self.d
        eye = sp.eye_array(count * d)
        bounds = (self.at[bound], -sp.eye_array(count))
        if p.norm == "inf":
            self.more.add(f"{bound} up", np.zeros(count * d), (self.at[vector], eye), (self.at[sizes], -eye))
            self.more.add(f"{bound} down", np.zeros(count * d), (self.at[vector], -eye), (self.at[sizes], -eye))
            self.more.add(
                bound, np.zeros(count), bounds, (self.at[sizes], p.eps * sp.kron(sp.eye_array(count), np.ones((1, d))))
            )
        elif p.norm == "1":
            spread = (self.at[bound], -sp.kron(sp.eye_array(count), np.ones((d, 1))))
            self.more.add(f"{bound} up", np.zeros(count * d), (self.at[vector], p.eps * eye), spread)
            self.more.add(f"{bound} down", np.zeros(count * d), (self.at[vector], -p.eps * eye), spread)
        else:
            first = sp.kron(sp.eye_array(count), np.eye(d + 1, 1))
            others = sp.kron(sp.eye_array(count), np.eye(d + 1, d, -1))
            self.cones.add(
                f"{bound} cone", np.zeros(count * (d + 1)), (self.at[vector], -p.eps * others), (self.at[bound], -first)
            )
            self.lengths += [d + 1] * count

    def _finish(self):
        p = self.program
        self.q = np.zeros(self.width)
        self.q[self.at["t"] : self.at["t"] + self.J] = p.beta
        losses = np.zeros(self.width)
        losses[self.at["r"] : self.at["r"] + self.n] = p.loss_weight()
        if p.loss == "hinge":
            self.q += losses
            losses[:] = 0
        self.Q = sp.diags_array(losses, format="csc")
        parts = self.equal.parts + self.more.parts + self.cones.parts
        self.A = sp.vstack([A for _, A, _ in parts], format="csc")
        self.b = np.concatenate([b for _, _, b in parts])
        self.A.eliminate_zeros()

    # ---- the answer

    def arrays(self, x, z):
        """Blocks and multipliers for the judge; z belongs to the rows in their order."""
        p, n, J = self.program, self.n, self.J
        of, at = {}, 0
        for name, _, b in self.equal.parts + self.more.parts + self.cones.parts:
            of[name], at = z[at : at + len(b)], at + len(b)
        found = {"blocks": self.blocks(x), "lambda": of["rows"].reshape(J, n).T}
        if p.loss == "hinge":
            found |= {"nu": -p.y * of["loss"], "mu": of["loss"]}
        elif p.eps > 0:
            found |= {"nu": of["other loss"] - of["loss"], "mu": of["other loss"] + of["loss"]}
        else:
            found |= {"nu": of["loss"], "mu": np.abs(of["loss"])}
        if p.eps > 0:
            found |= {"block_attacks": self._attacks(of, "tau", J), "sample_attacks": self._attacks(of, "rho", n)}
        return found

    def _attacks(self, of, bound, count):
        """d x count: the share of the gradient that an attack has."""
        if f"{bound} cone" in of:
            return -self.program.eps * of[f"{bound} cone"].reshape(count, self.d + 1)[:, 1:].T
        scale = self.program.eps if self.program.norm == "1" else 1.0
        return scale * (of[f"{bound} up"] - of[f"{bound} down"]).reshape(count, self.d).T


def _scaled(columns, factors):
    return [(start, sp.diags_array(factors) @ block) for start, block in columns]


def _diagonal_rows(X):
    """n x n d: row k is x_k at the place of s_k."""
    n, d = X.shape
    return sp.csr_array((X.ravel(), np.arange(n * d), np.arange(0, n * d + 1, d)), (n, n * d))


def without_squares(conic):
    """q, A, b and the lengths of the cones for solvers of linear objectives: 1/2 |r|^2 <= w is one more cone."""
    if not conic.Q.nnz:
        return conic.q, conic.A, conic.b, conic.lengths
    n, at = conic.n, conic.at["r"]
    rows = np.concatenate([[0, 1], np.arange(2, n + 2)])
    columns = np.concatenate([[conic.width, conic.width], at + np.arange(n)])
    entries = np.concatenate([[-1.0, 1.0], np.full(n, -np.sqrt(2))])
    cone = sp.csc_array((entries, (rows, columns)), (n + 2, conic.width + 1))
    A = sp.vstack([sp.hstack([conic.A, sp.csc_array((conic.A.shape[0], 1))]), cone], format="csc")
    b = np.concatenate([conic.b, [1.0, 1.0], np.zeros(n)])
    return np.append(conic.q, 1.0), A, b, [*conic.lengths, n + 2]
