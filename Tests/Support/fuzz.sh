#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]: runs every target so long, by libFuzzer where this toolchain has it, or else by mutations alone.
# One core. What was found lies in FOLDER (default .build-fuzz/found), and is kept from run to run, with the corpus.
set -u
cd "$(dirname "$0")/../.."
seconds=${1:?usage: fuzz.sh SECONDS [TARGET…]}; shift
folder=${FOLDER:-$PWD/.build-fuzz}; mkdir -p "$folder/found" "$folder/corpus"
build=(swift build --product Fuzzing -j 1)
if "${build[@]}" --scratch-path "$folder/by-libfuzzer" --sanitize fuzzer -Xswiftc -DLIBFUZZER >"$folder/build.log" 2>&1; then by=libFuzzer program=$folder/by-libfuzzer/debug/Fuzzing
elif "${build[@]}" --scratch-path "$folder/by-mutations" >>"$folder/build.log" 2>&1; then by=mutations program=$folder/by-mutations/debug/Fuzzing
else tail -20 "$folder/build.log"; exit 2; fi
echo "$(date '+%F %T') by $by, $seconds s a target"
if [ "$by" = libFuzzer ]; then targets=$(FUZZING_SEEDS=$folder/corpus "$program")
else "$program" --seeds "$folder/corpus"; targets=$("$program" none none 2>&1 | sed 's/.*targets: //'); fi
(($#)) || set -- $targets
result=0
for target; do
    if [ "$by" = libFuzzer ]; then
        FUZZING=$target "$program" "$folder/corpus/$target" -max_total_time="$seconds" -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
            -artifact_prefix="$folder/found/$target-" -print_final_stats=1 >"$folder/$target.log" 2>&1
        code=$?
        said=$(sed -n 's/^stat::number_of_executed_units: */executions: /p; s/^stat::peak_rss_mb: */peak MB: /p' "$folder/$target.log" | tr '\n' ' ')
    else
        end=$((SECONDS + seconds)) round=0 code=0
        while ((SECONDS < end && code == 0)); do "$program" "$target" 20000 "$((++round))" "$folder/found" >"$folder/$target.log" 2>&1; code=$?; done
        said="executions: $((round * 20000))"; ((code)) || rm -f "$folder/found/$target"
    fi
    ((code)) && result=1
    echo "$(date '+%F %T') $target: $([ "$code" = 0 ] && echo 'nothing found' || echo "FOUND (exit code $code, see $folder/$target.log)"); $said"
done
exit $result
