/**
 * Tools for operators. They use the properties, the {@code DataSource} and the id store
 * of the application.
 */
@NullMarked
package dev.idspring.tools;

import org.jspecify.annotations.NullMarked;
