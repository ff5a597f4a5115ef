package dev.idspring.autoconfigure.web;

import java.lang.annotation.Annotation;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.idspring.annotation.GeneratedId;
import dev.idspring.annotation.IdAsString;
import dev.idspring.autoconfigure.persistence.IdFormats.IdFormat;
import dev.idspring.autoconfigure.persistence.IdFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.repository.support.DefaultRepositoryInvokerFactory;
import org.springframework.data.repository.support.Repositories;
import org.springframework.data.util.ProxyUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Converts between entities and the text form of their ids, if the entity has a blocking
 * repository and its id carries {@code @GeneratedId} or {@link IdAsString @IdAsString}.
 * Spring Data's own converter, which reads such an id as a number, serves all other
 * entities.
 *
 * @since 0.1.0
 */
public final class IdEntityConverter extends IdTextConverter {

	private final SingletonSupplier<Repositories> repositories;

	/**
	 * Create a converter.
	 * @param repositories the repositories of the application, looked up when the first
	 * value is converted
	 * @param formats finds the text form of ids
	 */
	public IdEntityConverter(Supplier<Repositories> repositories, IdFormats formats) {
		super(formats);
		this.repositories = SingletonSupplier.of(repositories);
	}

	/**
	 * Find an entity. A repository for a supertype may return an entity of another type.
	 * @param id the id as the entity holds it
	 * @param type the type of the entity
	 * @return the entity, or {@code null} if there is none
	 */
	@Override
	public @Nullable Object read(Object id, Class<?> type) {
		return new DefaultRepositoryInvokerFactory(this.repositories.obtain()).getInvokerFor(type)
			.invokeFindById(id)
			.filter(type::isInstance)
			.orElse(null);
	}

	/**
	 * Return the id of an entity.
	 * @param entity the entity
	 * @param type its type
	 * @return the id, a {@code Long} for an {@code Integer}, or {@code null} if the
	 * entity does not have one yet
	 */
	@Override
	public @Nullable Object idOf(Object entity, Class<?> type) {
		Object id = this.repositories.obtain().getEntityInformationFor(type).getId(entity);
		return (id instanceof Integer number) ? (Object) number.longValue() : id;
	}

	/**
	 * Find the form of an entity's id.
	 * @param type the type of the entity
	 * @return the form, or {@code null} if its ids are not converted
	 */
	@Override
	public @Nullable IdFormat find(TypeDescriptor type) {
		Class<?> entity = ProxyUtils.getUserClass(type.getType());
		PersistentProperty<?> id = isBlocking(entity)
				? this.repositories.obtain().getPersistentEntity(entity).getIdProperty() : null;
		if (id == null) {
			return null;
		}
		String generator = IdFormats.generatorName(Stream.of(IdAsString.class, GeneratedId.class)
			.<Annotation>map(id::findAnnotation)
			.filter(Objects::nonNull)
			.toList());
		try {
			return (generator != null) ? this.formats.of(generator, isInt(id.getType()) ? Long.class : id.getType(),
					"@Id " + entity.getTypeName() + "." + id.getName()) : null;
		}
		catch (IllegalArgumentException ex) {
			throw invalid(ex);
		}
	}

	/**
	 * Return whether the repository must convert the id to {@code int}, as it can.
	 */
	private static boolean isInt(Class<?> type) {
		return type == int.class || type == Integer.class;
	}

	/**
	 * Return whether there is a blocking repository.
	 */
	private boolean isBlocking(Class<?> entity) {
		return !BeanUtils.isSimpleValueType(entity) && this.repositories.obtain()
			.getRepositoryInformationFor(entity)
			.filter((information) -> !information.isReactiveRepository())
			.isPresent();
	}

}
