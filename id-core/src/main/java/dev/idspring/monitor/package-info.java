/**
 * The state of generators for operators, as plain data. The endpoint, health and metrics
 * read nothing else.
 */
@NullMarked
package dev.idspring.monitor;

import org.jspecify.annotations.NullMarked;
