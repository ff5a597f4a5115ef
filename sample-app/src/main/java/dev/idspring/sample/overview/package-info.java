/**
 * What the page at {@code /} shows beyond the actuator: keys are drawn for show, the last
 * ones are remembered, and what the actuator says is sent on each second.
 */
@NullMarked
package dev.idspring.sample.overview;

import org.jspecify.annotations.NullMarked;
