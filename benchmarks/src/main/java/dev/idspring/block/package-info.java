/**
 * Stress tests of the code that callers execute without locks. jcstress runs a few
 * threads concurrently in many interleavings, millions of times. The tests are in this
 * package because the tested code is package-private. To run them: <pre class="code">
 * mvn -B -q -Pbenchmarks package -DskipTests -pl benchmarks -am &&
 *     java -cp benchmarks/target/benchmarks.jar org.openjdk.jcstress.Main -t dev.idspring.block -m quick
 * </pre>
 */
@NullMarked
package dev.idspring.block;

import org.jspecify.annotations.NullMarked;
