/**
 * Generators of ids of time whose supply is given, for simulations.
 */
@NullMarked
package dev.idspring.time;

import org.jspecify.annotations.NullMarked;
