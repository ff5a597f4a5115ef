/**
 * Tools for operators, which read the application's properties and tables.
 */
@NullMarked
package dev.idspring.tools;

import org.jspecify.annotations.NullMarked;
