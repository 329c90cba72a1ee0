"""The words for parameters that both estimators have; one place for two docstrings."""

PARAMETERS = """
    beta : float or str, default=None
        Weight of the penalty on the network's size. A number's meaning depends on the scaling of the loss and the data;
        a string such as '0.01max' is a share of beta_max, the smallest weight at which the zero network is optimal (see
        `beta_max`). None: three hundredths of beta_max, chosen by validation
        on fourteen data sets.
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
        Where activation patterns come from: 'priced', 'gaussian', 'perturbed', 'gaps', 'all', or a ``.npy`` file.
        'priced', without an attack: those of a short gradient descent, then in rounds those that lower the optimum. None:
        chosen; without an attack all of them if there are at most 2000, else 'priced'.
    pattern_count : int, default=100
        Patterns to look for; with 'priced' neurons of the descent that it begins with.
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
        Programs to solve at most. With priced patterns each has the patterns added that the last one priced above `beta`;
        for 'gated', 'hybrid', 'separate' and 'auto' each has gates chosen at the last solution; for 'cones' and 'reduced'
        under an attack, patterns exchanged that the last one did not use. None: 30 for the first, 4 for the second, 2 for
        the third, 1 with other `patterns`.
    global_bound : float, default=None
        Without an attack: seconds to work on a lower bound that holds for every network of any width, by branch and
        bound; see `bound_prices`. None: only where seconds are enough, which takes few features and a large `beta`. 0: not
        at all.
    validation_fraction : float, default=None
        Share of the rows to hold out, classes keeping theirs. With 'gated', 'hybrid', 'separate' and 'auto' the round that
        is best on them is kept, by certified accuracy, equal ones and regressions by certified mean loss. None: the last
        one, which fits all rows best.
    tolerance : float, default=1e-6
        Relative gap between objective and lower bound of the program to reach. A larger one at the end warns with
        ``ConvergenceWarning``. A bound for every network, if there is one, may leave a larger gap without a warning.
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
        those first chosen: under an attack they are not exchanged (see `rounds`). No effect on priced patterns.
    verbose : bool or int, default=False
        Show progress. The logger ``conelu`` is told in any case.
"""

ATTRIBUTES = """
    network_ : Network
    certificate_ : Certificate
        What is proven.
    objective_, lower_bound_, gap_ : float
        Loss plus penalty, what nothing is below that ``certificate_.scope`` covers, and their relative distance.
    beta_, beta_max_ : float
        The weight of the penalty that was used, and the smallest at which the zero network is optimal without an attack
        (of several classes, for each of them).
    rounds_ : dict of str to ndarray, or None
        For every round of a search for priced patterns: ``objective`` of the best network so far, ``bound`` of the
        round's program, ``estimate``, which would bound every network if no price were larger than those found, and
        ``largest_price`` found, over `beta`. None without such a search, and with several classes.
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
