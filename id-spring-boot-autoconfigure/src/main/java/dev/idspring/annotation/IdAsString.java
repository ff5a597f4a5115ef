package dev.idspring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an id that leaves and enters the application in its text form. In JSON the id is
 * a string, because JavaScript rounds numbers beyond 2<sup>53</sup>. The path, the
 * parameters and the headers of requests contain the same string. Anything that cannot be
 * the text form of one of the generator's ids is rejected, including a JSON number.
 * <p>
 * The annotation can be placed on
 * <ul>
 * <li>a property in JSON: a field, a record component, a getter, a setter, or a parameter
 * of a Jackson creator that takes properties</li>
 * <li>a parameter of a handler method, or of a method with {@code @HttpExchange}:
 * {@code @PathVariable @IdAsString long id}</li>
 * <li>a record with one component, so that every value of that record is converted:
 * {@code @IdAsString("orders") record OrderId(long value) {}}</li>
 * </ul>
 * The supported types are {@code long}, {@code Long}, a {@code String} that holds the
 * text form, a {@code UUID} that a generator created, and a record with one such
 * component. Collections and arrays of these types are supported too, and so is
 * {@code Optional}. In JSON, either the keys or the values of a map may also be ids, and
 * must then be {@code Long}. Other types are rejected: parameters at startup, and
 * properties in JSON when they are first used.
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface IdAsString {

	/**
	 * Return the name of the generator that issues the ids. If the name is empty, it is
	 * taken from a {@link GeneratedId @GeneratedId} on the same property. Without that
	 * annotation, the generator is {@code default}.
	 * @return a name under {@code ids.generators}, or empty
	 */
	String value() default "";

}
