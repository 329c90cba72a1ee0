"""The words for parameters that both estimators have; one place for two docstrings."""

PARAMETERS = """
    beta : float, default=1e-4
        Weight of the penalty on the network's size. Its meaning depends on the scaling of the loss.
    eps : float, array-like of shape (n_features,), or dict of str to float, default=0
        How far an attacker may move each feature of each sample: for all features, for each, or for some by the name of
        their column. 0 is standard training.
    eps_units : {'network', 'raw'}, default='network'
        Units of `eps`: features as the network sees them, after `standardize`; or those of the data.
    norm : {'inf', '2', '1'}, default='inf'
        In which a perturbation is measured.
    method : str, default=None
        The convex program: 'cones', the paper's; 'reduced', with only the constraints that the bound needs; 'gated',
        'hybrid' and 'separate', with none, in rounds ('separate': an attack for every neuron, for many features);
        'auto', one of the last two against an attacker. None: chosen among the first two.
    patterns : str or path-like, default=None
        Where activation patterns come from: 'gaussian', 'perturbed', 'gaps', 'all', or a ``.npy`` file. None: chosen; all
        of them if there are at most 2000.
    pattern_count : int, default=100
        Patterns to look for.
    directions, perturbations : int, default=None
        P_a and S of the paper's Alg 2, for ``patterns='perturbed'``.
    all_active : bool, default=None
        Whether to add the pattern of a linear model. None: yes, unless `patterns` is given.
    bias : bool, default=True
        Whether hidden neurons have a bias, which no attacker reaches.
    standardize : bool, default=False
        Give every feature mean 0 and deviation 1 first.
    min_max : bool, default=False
        Bring every feature to [0, 1] instead.
    huber_delta : float, default=1.0
        Residual beyond which the loss 'huber' grows linearly.
    prune : float, default=0
        Drop neurons smaller than this share of the largest, if the proof survives.
    reduce : bool, default=False
        Shrink the network to at most one neuron more than there are samples.
    rounds : int, default=None
        Programs to solve at most. For 'gated', 'hybrid', 'separate' and 'auto' each has gates chosen at the last solution;
        for 'cones' and 'reduced' under an attack, patterns exchanged that the last one did not use. None: 4 for the first,
        2 for the others, 1 with `patterns` and without an attack.
    validation_fraction : float, default=None
        Share of the rows to hold out, classes keeping theirs. With 'gated', 'hybrid', 'separate' and 'auto' the round that
        is best on them is kept, by certified accuracy, equal ones and regressions by certified mean loss. None: the last
        one, which fits all rows best.
    tolerance : float, default=1e-6
        Relative gap between objective and lower bound to reach. A larger one at the end warns with
        ``ConvergenceWarning``.
    max_iterations : int, default=200
        Of a solve; training may take several.
    time_limit : float, default=None
        Seconds, after which the best network so far is taken. None: as long as it takes.
    random_state : int, RandomState or Generator, default=None
        Seed of the patterns; the same number as the tool's ``--seed``. None is 0: a fit repeats unless told otherwise.
    n_jobs : int, default=None
        Threads. None: as many as OpenMP uses; -1: one for each core.
    warm_start : bool, default=False
        Start where the last fit came along. Saves iterations if only `beta` has changed a little. Patterns are
        those first chosen: under an attack they are not exchanged (see `rounds`).
    verbose : bool or int, default=False
        Show progress. The logger ``conelu`` is told in any case.
"""

ATTRIBUTES = """
    network_ : Network
    certificate_ : Certificate
        What is proven.
    objective_, lower_bound_, gap_ : float
        Loss plus penalty, what no point of the program is below, and their relative distance.
    n_iter_ : int
    coefs_, intercepts_ : list of ndarray
        Weights of both layers for raw features, as in ``MLPClassifier``.
    history_ : dict of str to ndarray
        ``seconds``, ``objective``, ``lower_bound`` and ``gap`` of every iteration.
    record_ : dict
        The tool's record of the run.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        If `X` has names.
"""


def document(estimator):
    """Puts them where the docstring of the class says {parameters} and {attributes}."""
    words = estimator.__doc__.replace("{parameters}", PARAMETERS.strip())
    estimator.__doc__ = words.replace("{attributes}", ATTRIBUTES.strip())
    return estimator
