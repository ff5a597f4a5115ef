/**
 * The state of generators, as plain data for operators. The actuator endpoint, the health
 * indicator and the metrics get all of their data from this package.
 */
@NullMarked
package dev.idspring.monitor;

import org.jspecify.annotations.NullMarked;
