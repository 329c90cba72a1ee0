#include <conelu/synthetic.hpp>
#include <conelu/train.hpp>
#include <conelu/version.hpp>
#include <cstdio>

int main() {
  const conelu::TrainResult result = conelu::train(conelu::plane_dataset(20, /*seed=*/1));
  std::printf("conelu %s: %s\n", conelu::version(), result.model.training.status.c_str());
  return result.model.training.status == "optimal" ? 0 : 1;
}
