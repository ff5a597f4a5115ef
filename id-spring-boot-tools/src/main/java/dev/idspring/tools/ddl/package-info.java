/**
 * Lets databases make ids themselves, where rows are inserted by plain SQL: functions in
 * the language of the database, generated from the layout of a generator, so that both
 * share epoch and widths and differ in the node. Only makes texts; who runs them is the
 * user.
 */
@NullMarked
package dev.idspring.tools.ddl;

import org.jspecify.annotations.NullMarked;
