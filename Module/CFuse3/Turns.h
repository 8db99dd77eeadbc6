#pragma once
#include <stdbool.h>

/// For the thread that calls it: short turns from now on.
void CFuse3_begin_turns(void);
/// Long ones, or short ones again.
void CFuse3_take_turns(bool isLong);
