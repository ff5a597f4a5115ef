package dev.idspring.tools.columns;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.idspring.tools.columns.ColumnWatch.AllocationSource;
import dev.idspring.tools.doctor.Doctor;
import dev.idspring.tools.doctor.Doctor.Allocation;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.QualifiedName;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.id.enhanced.HiLoOptimizer;
import org.hibernate.id.enhanced.LegacyHiLoAlgorithmOptimizer;
import org.hibernate.id.enhanced.NoopOptimizer;
import org.hibernate.id.enhanced.Optimizer;
import org.hibernate.id.enhanced.PooledLoOptimizer;
import org.hibernate.id.enhanced.PooledLoThreadLocalOptimizer;
import org.hibernate.id.enhanced.PooledOptimizer;
import org.hibernate.id.enhanced.SequenceStructure;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Determines how Hibernate allocates keys from the sequences of its entities.
 *
 * @param factories the factories that provide the entities; they are not accessed until
 * the columns are read
 */
record HibernateAllocations(ObjectProvider<EntityManagerFactory> factories) implements AllocationSource {

	@Override
	public List<Allocation> read() {
		List<Allocation> allocations = new ArrayList<>();
		this.factories.forEach((bean) -> {
			SessionFactoryImplementor factory = bean.unwrap(SessionFactoryImplementor.class);
			factory.getMappingMetamodel().forEachEntityDescriptor((entity) -> {
				if (entity.getGenerator() instanceof SequenceStyleGenerator generator
						&& generator.getDatabaseStructure() instanceof SequenceStructure sequence) {
					String name = name(sequence.getPhysicalName(), factory.getSqlStringGenerationContext());
					optimizer(generator.getOptimizer())
						.ifPresent((optimizer) -> allocations.add(new Allocation(entity.getIdentifierTableName(), name,
								sequence.getIncrementSize(), optimizer)));
				}
			});
		});
		// entities of one hierarchy that share a key table have the same allocation
		return allocations.stream().distinct().toList();
	}

	/**
	 * Return the name of a sequence, with its catalog and schema if Hibernate uses them.
	 */
	private static String name(QualifiedName name, SqlStringGenerationContext context) {
		return Stream
			.of(context.catalogWithDefault(name.getCatalogName()), context.schemaWithDefault(name.getSchemaName()),
					name.getObjectName())
			.filter(Objects::nonNull)
			.map(Identifier::getText)
			.collect(Collectors.joining("."));
	}

	/**
	 * Return how Hibernate derives keys from a value of the sequence. The result is empty
	 * if the application uses a custom optimizer.
	 */
	private static Optional<Doctor.Optimizer> optimizer(Optimizer optimizer) {
		if (optimizer instanceof HiLoOptimizer) {
			return Optional.of(Doctor.Optimizer.HILO);
		}
		if (optimizer instanceof LegacyHiLoAlgorithmOptimizer) {
			return Optional.of(Doctor.Optimizer.LEGACY_HILO);
		}
		if (optimizer instanceof PooledLoOptimizer || optimizer instanceof PooledLoThreadLocalOptimizer) {
			return Optional.of(Doctor.Optimizer.POOLED_LO);
		}
		if (optimizer instanceof PooledOptimizer) {
			return Optional.of(Doctor.Optimizer.POOLED);
		}
		return (optimizer instanceof NoopOptimizer) ? Optional.of(Doctor.Optimizer.NONE) : Optional.empty();
	}

}
