/**
 * What operators see of a generator, as plain data: the endpoint, health and metrics read
 * nothing else.
 */
@NullMarked
package dev.idspring.monitor;

import org.jspecify.annotations.NullMarked;
