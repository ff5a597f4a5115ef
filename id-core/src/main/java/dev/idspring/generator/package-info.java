/**
 * The base classes of generators and of their builders.
 */
@NullMarked
package dev.idspring.generator;

import org.jspecify.annotations.NullMarked;
