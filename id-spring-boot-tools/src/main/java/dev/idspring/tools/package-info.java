/**
 * Tools for operators. They read the properties and the tables of the application.
 */
@NullMarked
package dev.idspring.tools;

import org.jspecify.annotations.NullMarked;
