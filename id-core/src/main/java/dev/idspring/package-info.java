/**
 * The types that applications use: generators, descriptions of ids, and exceptions.
 */
@NullMarked
package dev.idspring;

import org.jspecify.annotations.NullMarked;
