/**
 * Support for tests of applications and of custom stores. It contains a clock that tests
 * can set, and the contracts of stores. Only this package requires JUnit Jupiter and
 * AssertJ.
 */
@NullMarked
package dev.idspring.test;

import org.jspecify.annotations.NullMarked;
