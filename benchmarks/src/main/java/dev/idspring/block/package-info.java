/**
 * Stress tests of what callers do without a lock: jcstress lets a few threads meet in all
 * ways it can think of, millions of times. In this package, as all of that is
 * package-private. To run them: <pre class="code">
 * mvn -B -q -Pbenchmarks package -DskipTests -pl benchmarks -am &&
 *     java -cp benchmarks/target/benchmarks.jar org.openjdk.jcstress.Main -t dev.idspring.block -m quick
 * </pre>
 */
@NullMarked
package dev.idspring.block;

import org.jspecify.annotations.NullMarked;
