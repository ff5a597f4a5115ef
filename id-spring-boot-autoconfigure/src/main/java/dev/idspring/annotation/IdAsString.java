package dev.idspring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An id that leaves and enters the application in its text form: as a string in JSON,
 * where JavaScript rounds numbers beyond 2<sup>53</sup>, and as the same text in the
 * path, the parameters and the headers of requests. Anything that is not an id of the
 * generator is rejected, including a JSON number.
 * <p>
 * It is placed on
 * <ul>
 * <li>a property for JSON: a field, a record's component, a getter, a setter or a
 * parameter of a creator that takes properties</li>
 * <li>a parameter of a handler method, or of a method with {@code @HttpExchange}:
 * {@code @PathVariable @IdAsString long id}</li>
 * <li>a type with a single value, whose instances are then ids everywhere:
 * {@code @IdAsString("orders") record OrderId(long value) {}}</li>
 * </ul>
 * The type is {@code long}, {@code Long}, a {@code String} that holds the text form, a
 * {@code UUID} that a generator made, a record with one such component, or a collection,
 * an array or an {@code Optional} of these. In a map, either the keys or the values are
 * {@code Long}, and these are the ids. Other types are rejected when they are first used.
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface IdAsString {

	/**
	 * Return the name of the generator whose ids these are. If empty, it is the generator
	 * named by a {@link GeneratedId @GeneratedId} on the same property, or else
	 * {@code default}.
	 * @return a name under {@code ids.generators}, or empty
	 */
	String value() default "";

}
