/**
 * The base classes of all generators and of their builders.
 */
@NullMarked
package dev.idspring.generator;

import org.jspecify.annotations.NullMarked;
