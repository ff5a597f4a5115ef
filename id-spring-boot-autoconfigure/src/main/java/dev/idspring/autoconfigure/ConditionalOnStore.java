package dev.idspring.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches when {@code ids.store} is set to a store, in whatever spelling it binds, or
 * unset and the store is the usual one.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(StoreType.OnStore.class)
@interface ConditionalOnStore {

	StoreType value();

}
