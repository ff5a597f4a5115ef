/**
 * Lets databases make ids themselves if rows are inserted by plain SQL. The functions are
 * written in the language of the database and generated from the layout of a generator.
 * So both share epoch and widths, and differ in the node. Only makes texts; the user runs
 * them.
 */
@NullMarked
package dev.idspring.tools.ddl;

import org.jspecify.annotations.NullMarked;
