#pragma once

#include <limits>
#include <string>

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"
#include "conelu/model.hpp"
#include "conelu/threat.hpp"

/// Models for other programs: ONNX for runtimes and verifiers, a C header for small devices, VNN-LIB for questions
/// about the network. The JSON model stays the truth; what is written here takes raw features, with the preprocessing
/// folded into the hidden layer: weight h / s and bias b - h'(c / s) for features (x - c) / s.
namespace CONELU_API conelu {

/// The same outputs from raw features: no scaling, its work done by the hidden layer, in double precision. Columns of
/// text are still encoded when they are read: the features of the model, column=level, are the inputs.
/// Throws std::invalid_argument if the model has no network or no features.
Model folded_model(const Model& model);

/// The network that save_onnx writes: folded, every weight rounded to the nearest float32. Its numbers are kept as
/// doubles, so that everything that takes a Model (scores, verify, attacks) can be asked about the exported one.
///
/// Biases are folded with the weights as rounded, so that the rounding of a weight counts from the feature's centre and
/// not from 0. What is computed or proven with this model is about its weights in exact or double arithmetic; a runtime
/// that evaluates in float32 adds rounding of its own, of inputs, products and sums, which nothing here covers. The
/// training record is that of the model before rounding.
///
/// Throws std::invalid_argument naming a weight that float32 cannot hold.
Model float32_model(const Model& model);

/// A bound on |exported output - model output| for all inputs whose features, as the model's networks see them, are
/// between -reach and reach (standard deviations, if standardised). `exported` takes raw features.
double difference_bound(const Model& model, const Model& exported, double reach);

/// The largest such difference on these rows of raw features.
double largest_difference(const Model& model, const Model& exported, const MatrixView& raw);

/// The outputs of an exported model as a float32 runtime may compute them: inputs, products and sums rounded, in one
/// order of summation out of many. An idea of what to expect, not a bound.
Matrix float32_scores(const Model& exported, const MatrixView& raw);

/// Radii in raw units from radii in the units that the networks see: multiplied by the scale, rounded up so that the
/// ball holds all that was asked for.
Vector raw_radii(const Vector& radii, const Preprocessing& preprocessing);

/// Of inputs and outputs, and of the weights and the arithmetic between them: float32 or float64 throughout, or mixed,
/// inputs and outputs float32 and all else float64.
enum class Precision { float32, mixed, float64 };

/// An ONNX file, in the form that verifiers load: ir_version 7, opset 13, a FLOAT input [1, d] of raw features,
/// Gemm(transB=1) -> Relu -> Gemm(transB=1), and a FLOAT output
///
///     [1, 2] = (-f, f)          two classes, negative first
///     [1, K] = (f_1, ..., f_K)  more; the networks' neurons are one hidden layer
///     [1, 1] = f                regression
///
/// The weights are those of float32_model; names of features and classes are in the metadata. For two classes an
/// argmax takes f = 0 for the negative one, where predict says positive.
///
/// With Precision::float64 input, output and arithmetic are DOUBLE, and the weights those of folded_model: runtimes
/// then give the outputs of the model where float32 has too few digits. Precision::mixed is the same between two Cast
/// nodes: a program that hands over float32 need not know, and loses no more than that costs. Verifiers expect float32.
/// Throws std::invalid_argument as these two do, and if the file would have more than 2 GiB.
std::string onnx_bytes(const Model& model, Precision precision = Precision::float32);

/// Writes it atomically.
void save_onnx(const Model& model, const std::string& path, Precision precision = Precision::float32);

/// A C99 header with one function and no dependencies, `name`_score for a single output and `name`_scores for several.
/// Arithmetic and weights are double; with -DCONELU_REAL=float both are float, with about seven digits.
/// Throws std::invalid_argument if the name is not one that C allows.
std::string c_header(const Model& model, const std::string& name);

/// Writes it atomically; the name is that of the file, without its ending and with _ for what C does not allow.
void save_c_header(const Model& model, const std::string& path);

/// How a property is written down. Most tools read 1.0 (X_0, X_1, ...), the newer ones 2.0 (X[0,0], X[0,1], ...).
enum class VnnlibVersion { one, two };

struct VnnlibSettings {
  Threat threat;  ///< radii in raw units, of the infinity norm; empty: nothing moves
  VnnlibVersion version = VnnlibVersion::one;
  double max_error = 0;                                      ///< regression: the error |f - y| that is asked for
  double lowest = -std::numeric_limits<double>::infinity();  ///< values that features can take, in raw units; what is
  double highest = std::numeric_limits<double>::infinity();  ///< outside already stays as it is
};

/// Is there an input within reach of the row that the network of save_onnx puts into another class than the row's, or
/// gives an error of max_error or more? The property holds for counterexamples: `unsat` means robust. Ties count as
/// counterexamples, since VNN-LIB has only <= and >=.
///
/// Bounds are rounded outwards to doubles and written as plain decimals that read back as the same ones.
/// Throws std::invalid_argument for another norm (VNN-LIB bounds every input by itself) and for data that do not fit.
std::string vnnlib_property(const Model& model, const Dataset& data, Index row, const VnnlibSettings& settings);

/// Makes the folder if need be and writes model.onnx, row_0.vnnlib, row_1.vnnlib, ... and, when all of them are there,
/// the index instances.csv: lines "model.onnx,row_0.vnnlib,60", the last number being seconds, as competitions of
/// verifiers have it. Files are written atomically, and an index is never beside files that it does not belong to.
void save_vnnlib(const Model& model, const Dataset& data, const VnnlibSettings& settings, const std::string& folder);

}  // namespace conelu
