/**
 * Ids of entities that MyBatis-Plus inserts.
 */
@NullMarked
package dev.idspring.autoconfigure.mybatisplus;

import org.jspecify.annotations.NullMarked;
