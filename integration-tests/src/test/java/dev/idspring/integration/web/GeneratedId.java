package dev.idspring.integration.web;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Stands for the annotations of that name, which make the ids as well: here it is shown
 * that whoever shows them goes by the same generator.
 */
@Retention(RetentionPolicy.RUNTIME)
@interface GeneratedId {

	String value() default "";

}
