#pragma once

/// What a public header declares inside `namespace CONELU_API conelu` can be called from outside a shared library; the
/// rest is compiled with -fvisibility=hidden and stays inside. One word a header, instead of one before every function
/// and class, keeps them readable. Sources, and the headers in src/, open `namespace conelu` as usual.
#define CONELU_API [[gnu::visibility("default")]]

/// Convex training of one-hidden-layer ReLU networks, with proofs attached. train() is where to start.
namespace conelu {}
